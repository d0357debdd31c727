import { type Clock, systemClock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerNetwork } from '../../platform/routes/index.ts'
import { hashSecret, secretMatches } from './secrets.ts'

const PERIOD_MS = 60_000
const FAILURES_PER_PERIOD = 20
/** Bounds the memory; the oldest networks are forgotten first. */
const MAX_NETWORKS = 10_000

/** Returns why a caller is not the operator; `undefined` for the operator. */
export type OperatorCheck = (request: FastifyRequest, reply: FastifyReply) => Failure | undefined

/**
 * Checks the admin token. During a rotation, the previous token counts, too. Each network may send a few wrong tokens a
 * minute. The right token always counts: it is too long to guess, and a lock would let anyone who shares an address with
 * the operator keep them out.
 */
export function createOperatorCheck(deps: { tokens: readonly string[]; clock?: Clock | undefined }): OperatorCheck {
  const { tokens, clock = systemClock } = deps
  const hashes = tokens.map(hashSecret)
  const failures = new Map<string, { count: number; endsAt: number }>()

  function countFailure(network: string): void {
    const now = clock.monotonic()
    const before = failures.get(network)
    if (before && before.endsAt > now) {
      before.count += 1
      return
    }
    failures.delete(network)
    if (failures.size >= MAX_NETWORKS) failures.delete(failures.keys().next().value ?? '')
    failures.set(network, { count: 1, endsAt: now + PERIOD_MS })
  }

  return (request, reply) => {
    const [scheme, token] = (request.headers.authorization ?? '').split(' ')
    const wrong = new Failure('unauthenticated', 'send the admin token as "Authorization: Bearer <token>"')
    if (scheme?.toLowerCase() !== 'bearer' || !token) return wrong
    if (hashes.some((hash) => secretMatches(token, hash))) return undefined
    const network = callerNetwork(request.ip, request.socket.remoteAddress)
    const failed = failures.get(network)
    const waitMs = failed && failed.count >= FAILURES_PER_PERIOD ? failed.endsAt - clock.monotonic() : 0
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1000)
      void reply.header('retry-after', seconds)
      return new Failure('tooMany', `too many wrong admin tokens from your address: try again in ${seconds} s`)
    }
    countFailure(network)
    return wrong
  }
}
