import { Failure, quotaReached } from '@plantroom/contract/failure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerNetwork } from '../routes/index.ts'

const MIB = 1024 * 1024
const RETRY_S = 5

/** How much memory the large bodies of requests that are not answered yet may take, and how much of it one group. */
export interface BodyShares {
  /** Groups are organizations. */
  callers: { bytes: number; perGroup: number }
  /** Those who need no account, as for the form of a printed code. Groups are networks. */
  strangers: { bytes: number; perGroup: number }
}

const SHARES: BodyShares = {
  callers: { bytes: 256 * MIB, perGroup: 64 * MIB },
  strangers: { bytes: 64 * MIB, perGroup: 32 * MIB },
}

/**
 * Bounds the memory that large bodies take: a body is kept while it arrives and until it is answered, and whoever sends
 * slowly keeps it there for a minute. A refused caller gets the answer before the body. Bodies of at most `small` bytes are
 * bounded by the number of connections.
 */
export function shareLargeBodies(app: FastifyInstance, small: number, shares = SHARES): void {
  const callers = createShare(shares.callers, 'from this organization')
  const strangers = createShare(shares.strangers, 'from your network')

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const bytes = bytesOf(request)
    if (bytes <= small) return done()
    if (request.refusal) return done(request.refusal)
    const { orgId } = request.params as { orgId?: string }
    const isStranger = orgId === undefined || request.routeOptions.config.access?.by === 'anyone'
    const group = isStranger ? callerNetwork(request.ip, request.socket.remoteAddress) : orgId
    const taken = (isStranger ? strangers : callers).take(group, bytes)
    if (taken instanceof Failure) return done(taken)
    reply.raw.once('close', taken)
    done()
  })
}

/** What a body takes at most. One that says no length may be as long as its route allows. */
function bytesOf({ headers, method, routeOptions }: FastifyRequest): number {
  const { bodyLimit, config } = routeOptions
  if (config.streamed || method === 'GET' || method === 'HEAD') return 0
  if (headers['transfer-encoding'] !== undefined) return bodyLimit
  // One that is longer is refused by its length.
  return Math.min(Number(headers['content-length'] ?? 0), bodyLimit)
}

function createShare({ bytes: most, perGroup }: BodyShares['callers'], from: string) {
  const groups = new Map<string, number>()
  let total = 0
  const tryAgain = `try again in ${RETRY_S} seconds, or send less at once`

  return {
    /** Returns what gives the bytes back, or why there are none. */
    take(group: string, bytes: number): Failure | (() => void) {
      const own = groups.get(group) ?? 0
      if (own + bytes > perGroup)
        return quotaReached(`too many large requests ${from} are under way: ${tryAgain}`, RETRY_S)
      if (total + bytes > most) {
        const message = `too many large requests are under way: ${tryAgain}`
        return new Failure('unavailable', message, undefined, { retryAfterS: RETRY_S })
      }
      groups.set(group, own + bytes)
      total += bytes
      return () => {
        total -= bytes
        const left = (groups.get(group) ?? 0) - bytes
        if (left > 0) groups.set(group, left)
        else groups.delete(group)
      }
    },
  }
}
