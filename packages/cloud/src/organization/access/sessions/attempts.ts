import { Failure } from '@plantroom/contract/failure'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusals } from '../../activity/index.ts'
import { callerNetwork } from '../caller-network.ts'
import type { KnownDevices } from './known-devices.ts'
import type { Attempt, Attempter, SignInThrottle } from './sign-in-throttle.ts'

/**
 * Begins an attempt to prove who a person is; it counts as failed until it `succeeded`. Throws `tooMany`, with the time
 * to wait, after too many failures.
 */
export type BeginAttempt = (
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
  what?: Attempter['what'],
) => Promise<Attempt>

export function createAttempts(deps: {
  devices: KnownDevices
  throttle: SignInThrottle
  refusals: Pick<Refusals, 'add'>
}): BeginAttempt {
  const { devices, throttle, refusals } = deps
  return async (request, reply, email, what = 'password') => {
    const address = callerNetwork(request.ip, request.socket.remoteAddress)
    const known = await devices.find({ cookies: request.headers.cookie, network: address }, email)
    const attempt = await throttle.begin({ email, address, what, ...known })
    if ('succeeded' in attempt) return attempt
    refusals.add({ action: 'sign-in-failed', reason: 'too-many', network: address })
    const seconds = Math.ceil(attempt.retryAfterMs / 1000)
    void reply.header('retry-after', seconds)
    throw new Failure('tooMany', `too many failed attempts to sign in: try again in ${describeWait(seconds)}`)
  }
}

function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
