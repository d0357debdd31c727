import { Failure } from '@plantroom/contract/failure'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callerNetwork } from '../../../platform/routes/index.ts'
import type { Refusals } from '../../activity/index.ts'
import type { KnownDevices } from './known-devices.ts'
import type { Hasher, Passwords } from './passwords.ts'
import type { Attempter, SignInThrottle } from './sign-in-throttle.ts'

/**
 * Attempts to prove who a person is. Each resolves with what `check` found out, and counts as failed only if that is
 * false: what the service refuses, or cannot check, is not a failure of the person. Both throw `tooMany`, with the time to
 * wait, after too many failures.
 */
export interface Attempts {
  /** Runs `check` when it is the caller's turn. Throws when too many wait already. */
  withPassword(caller: Caller, email: string, check: (hasher: Hasher) => Promise<boolean>): Promise<boolean>
  withSecondFactor(caller: Caller, email: string, check: () => Promise<boolean>): Promise<boolean>
}

interface Caller {
  request: FastifyRequest
  reply: FastifyReply
}

export function createAttempts(deps: {
  devices: KnownDevices
  passwords: Pick<Passwords, 'inTurn'>
  throttle: SignInThrottle
  refusals: Pick<Refusals, 'add'>
}): Attempts {
  const { devices, passwords, throttle, refusals } = deps

  async function counted(
    reply: FastifyReply,
    attempter: Omit<Attempter, 'isKnownAddress'>,
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    const { email, address } = attempter
    const isKnownAddress = await devices.isKnownNetwork(address, email)
    const attempt = await throttle.begin({ ...attempter, isKnownAddress })
    if ('retryAfterMs' in attempt) {
      refusals.add({ action: 'sign-in-failed', reason: 'too-many', network: address })
      throw tooMany(reply, attempt.retryAfterMs)
    }
    const isRight = await check().catch(async (error: unknown) => {
      // The reason is the one to report, also when the database cannot take the count back either.
      await attempt.withdraw().catch(() => {})
      throw error
    })
    if (isRight) await attempt.succeeded()
    return isRight
  }

  return {
    async withPassword({ request, reply }, email, check) {
      const address = networkOf(request)
      const knownDevice = await devices.findBrowser(request.headers.cookie, email)
      const isKnown = knownDevice !== undefined || request.userId !== undefined
      // Nothing is asked of the database before it is the caller's turn: refusing must cost next to nothing.
      return whileConnected(request, (signal) =>
        passwords.inTurn({ isKnown, group: isKnown ? email : address, signal }, (hasher) =>
          counted(reply, { email, address, knownDevice }, () => check(hasher)),
        ),
      )
    },

    async withSecondFactor({ request, reply }, email, check) {
      const knownDevice = await devices.findBrowser(request.headers.cookie, email)
      const attempter = { email, address: networkOf(request), knownDevice, what: 'second factor' } as const
      return counted(reply, attempter, check)
    },
  }
}

const networkOf = (request: FastifyRequest) => callerNetwork(request.ip, request.socket.remoteAddress)

/** Runs `work` with a signal that is aborted when the caller disconnects. */
async function whileConnected<Result>(
  { socket }: FastifyRequest,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const left = new AbortController()
  const leave = () => left.abort(new Failure('unavailable', 'the connection was closed: sign in again'))
  if (socket.destroyed) leave()
  socket.once('close', leave)
  try {
    return await work(left.signal)
  } finally {
    socket.off('close', leave)
  }
}

function tooMany(reply: FastifyReply, retryAfterMs: number): Failure {
  const seconds = Math.ceil(retryAfterMs / 1000)
  void reply.header('retry-after', seconds)
  return new Failure('tooMany', `too many failed attempts to sign in: try again in ${describeWait(seconds)}`)
}

function describeWait(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
