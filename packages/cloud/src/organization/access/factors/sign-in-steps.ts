import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addRoute, callerNetwork } from '../../../platform/routes/index.ts'
import type { Refusals } from '../../activity/index.ts'
import type { UserStore } from '../people/user-store.ts'
import { countUse, type QuotaStore } from '../quota-store.ts'
import { hashSecret, makeToken } from '../secrets.ts'
import type { Attempts } from '../sessions/attempts.ts'
import { COOKIE_ATTRIBUTES, tokenIn } from '../sessions/cookies.ts'
import type { BeginSignIn, ProvedPerson, SignIn } from '../sessions/sessions.ts'
import type { ChallengeStore } from './challenge-store.ts'
import { type Passkeys, pageOf } from './passkeys.ts'
import { requireOneProof, type SecondFactors } from './second-factors.ts'

/** Does not contain the name of the session cookie, which requests are searched for. */
export const CHALLENGE_COOKIE = '__Host-challenge-plantroom'
export const CHALLENGE_MS = 5 * 60_000
const DELETE_CHALLENGE = `${CHALLENGE_COOKIE}=; Max-Age=0; ${COOKIE_ATTRIBUTES}`

/** Everyone in an office shares one address. */
const QUESTIONS_PER_ADDRESS = 300
const QUESTIONS_PERIOD_MS = 15 * 60_000

/** Stores a challenge that only this browser can answer, for five minutes. */
function challengeBrowser(
  deps: { challenges: Pick<ChallengeStore, 'add'>; clock: Clock },
  reply: FastifyReply,
  challenge: Omit<Parameters<ChallengeStore['add']>[0], 'hash' | 'expiresAt'>,
): Promise<void> {
  const token = makeToken()
  const cookie = `${CHALLENGE_COOKIE}=${token}; Max-Age=${CHALLENGE_MS / 1000}; ${COOKIE_ATTRIBUTES}`
  void reply.header('set-cookie', cookie)
  const expiresAt = new Date(deps.clock.now() + CHALLENGE_MS)
  return deps.challenges.add({ ...challenge, hash: hashSecret(token), expiresAt })
}

/** Asks people with a second factor for it, and signs the others in. There is no session between the two steps. */
export function createBeginSignIn(deps: {
  challenges: Pick<ChallengeStore, 'add'>
  factors: Pick<SecondFactors, 'ask'>
  signIn: SignIn
  clock: Clock
}): BeginSignIn {
  return async (request, reply, person) => {
    const question = await deps.factors.ask(request, person.userId)
    if (!question) return deps.signIn(request, reply, person)
    const { toSign, ...secondFactor } = question
    await challengeBrowser(deps, reply, { purpose: 'second-factor', ...person, toSign })
    return { secondFactor }
  }
}

/**
 * Stores a challenge for a person whom a provider authenticated, if they have a second factor here. The page then asks
 * for the question, because the redirect of a provider cannot carry it.
 */
export type AwaitSecondFactor = (reply: FastifyReply, person: Omit<ProvedPerson, 'secondFactor'>) => Promise<boolean>

export function createAwaitSecondFactor(deps: {
  challenges: Pick<ChallengeStore, 'add'>
  factors: Pick<SecondFactors, 'isNeeded'>
  clock: Clock
}): AwaitSecondFactor {
  return async (reply, person) => {
    if (!(await deps.factors.isNeeded(person.userId))) return false
    await challengeBrowser(deps, reply, { purpose: 'second-factor', ...person, toSign: null })
    return true
  }
}

interface StepDeps {
  challenges: ChallengeStore
  factors: Pick<SecondFactors, 'ask' | 'check'>
  passkeys: Pick<Passkeys, 'askForAny' | 'check'>
  users: Pick<UserStore, 'findPasswordHash'>
  quotas: Pick<QuotaStore, 'count'>
  attempts: Attempts
  refusals: Pick<Refusals, 'add'>
  signIn: SignIn
  clock: Clock
}

/** The second step of a sign-in, and the sign-in with a passkey alone. */
export function signInStepRoutes(app: FastifyInstance, deps: StepDeps): void {
  const { challenges, factors, attempts, refusals, signIn, clock } = deps
  const now = () => new Date(clock.now())

  addRoute(app, API.askSecondFactor, async (request) => {
    const hash = challengeIn(request)
    const userId = hash && (await challenges.findAwaited(hash, now()))
    const question = userId === undefined ? undefined : await factors.ask(request, userId)
    if (!hash || !question)
      throw new Failure('notFound', 'no sign-in waits for a second factor in this browser: sign in again')
    const { toSign, ...secondFactor } = question
    await challenges.setToSign(hash, toSign)
    return { secondFactor }
  })

  addRoute(app, API.completeSignIn, async (request, reply) => {
    const { code, recoveryCode, passkey } = request.body
    const proof = { code, recoveryCode, passkey }
    requireOneProof(proof)
    const hash = challengeIn(request)
    const waiting = hash && (await challenges.attempt(hash, now()))
    if (!hash || !waiting) throw startAgain()
    const { userId, email, passwordHash, provider } = waiting
    const check = () => factors.check(request, userId, proof, () => challenges.takeToSign(hash))
    if (!(await attempts.withSecondFactor({ request, reply }, email, check))) {
      const network = callerNetwork(request.ip, request.socket.remoteAddress)
      refusals.add({ action: 'sign-in-failed', reason: 'wrong-factor', network, person: { id: userId, email } })
      throw new Failure(
        'unauthenticated',
        'this code or passkey is wrong or was used before: wait for the next code, or use another of your factors',
      )
    }
    if (!(await challenges.take(hash, 'second-factor', now()))) throw startAgain()
    return complete(request, reply, { userId, passwordHash, ...(provider && { provider }) })
  })

  passkeySignInRoutes(app, deps, complete)

  async function complete(request: FastifyRequest, reply: FastifyReply, person: Omit<ProvedPerson, 'secondFactor'>) {
    const signedIn = await signIn(request, reply, { ...person, secondFactor: true })
    void reply.header('set-cookie', DELETE_CHALLENGE)
    return signedIn
  }
}

function passkeySignInRoutes(app: FastifyInstance, deps: StepDeps, complete: SignIn): void {
  const { challenges, passkeys, users, quotas, clock } = deps

  addRoute(app, API.startPasskeySignIn, async (request, reply) => {
    const network = callerNetwork(request.ip, request.socket.remoteAddress)
    const limit = { subject: ['passkey', network], limit: QUESTIONS_PER_ADDRESS, periodMs: QUESTIONS_PERIOD_MS }
    const waitMs = await countUse(quotas, clock, limit)
    if (waitMs > 0) {
      const retryAfterS = Math.ceil(waitMs / 1000)
      const message = `your address has begun ${QUESTIONS_PER_ADDRESS} sign-ins with a passkey in 15 minutes, which is the limit: try again in ${Math.ceil(retryAfterS / 60)} min`
      throw new Failure('tooMany', message, undefined, { retryAfterS })
    }
    const { options, toSign } = await passkeys.askForAny(pageOf(request))
    await challengeBrowser(deps, reply, { purpose: 'passkey', userId: null, passwordHash: null, toSign })
    return { options: { ...options } }
  })

  addRoute(app, API.signInWithPasskey, async (request, reply) => {
    const hash = challengeIn(request)
    const taken = hash && (await challenges.take(hash, 'passkey', new Date(clock.now())))
    if (!taken) throw startAgain()
    const userId = await passkeys.check(pageOf(request), taken.toSign ?? undefined, request.body.passkey, true)
    const account = userId === undefined ? undefined : await users.findPasswordHash(userId)
    if (userId === undefined || !account) {
      throw new Failure(
        'unauthenticated',
        'this passkey does not belong to an account here: sign in with your password, or use another passkey',
      )
    }
    return complete(request, reply, { userId, passwordHash: account.passwordHash })
  })
}

function challengeIn(request: FastifyRequest): Buffer | undefined {
  const token = tokenIn(request.headers.cookie, CHALLENGE_COOKIE)
  return token === undefined ? undefined : hashSecret(token)
}

const startAgain = () =>
  new Failure('unauthenticated', 'this sign-in has ended, after five minutes or five attempts: sign in again')
