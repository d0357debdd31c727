import { Failure } from '@plantroom/contract/failure'
import type { FastifyRequest } from 'fastify'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what changes something and does not come from a page of ours: a browser sends our cookie along also when a page
 * of somebody else has it ask. `publicOrigin` is where a proxy shows us; without one, our pages come from the host asked.
 */
export function judgeOrigin(request: FastifyRequest, publicOrigin: string | undefined): Failure | undefined {
  if (SAFE.has(request.method)) return undefined
  const { origin, host } = request.headers
  if (origin !== undefined && URL.canParse(origin)) {
    const from = new URL(origin)
    if (from.origin === publicOrigin || (from.host !== '' && from.host === host?.toLowerCase())) return undefined
  }
  return new Failure(
    'forbidden',
    'the Origin header is missing or of another site: behind a proxy, set PLANTROOM_PUBLIC_URL to the address that people open',
  )
}
