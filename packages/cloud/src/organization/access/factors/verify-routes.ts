import type { Clock } from '@plantroom/base/clock'
import { API, type Proof } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { addRoute } from '../../../platform/routes/index.ts'
import type { UserStore } from '../people/user-store.ts'
import { hashSecret } from '../secrets.ts'
import type { Attempts } from '../sessions/attempts.ts'
import type { SessionStore } from '../sessions/session-store.ts'
import type { ChallengeStore } from './challenge-store.ts'
import { requireOneProof, type SecondFactors } from './second-factors.ts'
import { CHALLENGE_MS } from './sign-in-steps.ts'

interface VerifyRouteDeps {
  users: Pick<UserStore, 'findPasswordHash'>
  store: Pick<SessionStore, 'verified'>
  challenges: Pick<ChallengeStore, 'add' | 'take'>
  factors: SecondFactors
  attempts: Attempts
  clock: Clock
}

/** Lets people prove again who they are, before actions that need a recent proof. */
export function verifyRoutes(app: FastifyInstance, deps: VerifyRouteDeps): void {
  const { users, store, challenges, factors, clock } = deps
  const hashOf = ({ sessionId = '' }: FastifyRequest) => hashSecret(JSON.stringify(['verify', sessionId]))

  addRoute(app, API.startVerification, async (request) => {
    const { userId = '' } = request
    const question = await factors.ask(request, userId)
    const hasPassword = ((await users.findPasswordHash(userId))?.passwordHash ?? null) !== null
    const methods = question?.methods ?? (hasPassword ? (['password'] as const) : [])
    if (!question?.passkey) return { methods }
    const expiresAt = new Date(clock.now() + CHALLENGE_MS)
    const challenge = { purpose: 'verify', userId, passwordHash: null, toSign: question.toSign } as const
    await challenges.add({ ...challenge, hash: hashOf(request), expiresAt })
    return { methods, passkey: question.passkey }
  })

  addRoute(app, API.verifySession, async (request, reply) => {
    requireOneProof(request.body)
    const takeToSign = async () =>
      (await challenges.take(hashOf(request), 'verify', new Date(clock.now())))?.toSign ?? undefined
    await requireProof(request, reply, deps, takeToSign)
    await store.verified(request.sessionId ?? '', new Date(clock.now()))
  })
}

async function requireProof(
  request: FastifyRequest<{ Body: Proof }>,
  reply: FastifyReply,
  { users, factors, attempts }: VerifyRouteDeps,
  takeToSign: () => Promise<string | undefined>,
): Promise<void> {
  const { userId = '', email = '', body } = request
  const { password, ...proof } = body
  if (password === undefined) {
    const check = () => factors.check(request, userId, proof, takeToSign)
    if (await attempts.withSecondFactor({ request, reply }, email, check)) return
    throw new Failure('invalid', 'this code or passkey is wrong or was used before: use another one', fieldOf(proof))
  }
  // A second factor protects against a known password: it must not be possible to remove it with that alone.
  if (await factors.isNeeded(userId)) {
    const rule = 'your account has a second factor: send a code, a recovery code or a passkey instead of the password'
    throw new Failure('invalid', rule, 'password')
  }
  const passwordHash = (await users.findPasswordHash(userId))?.passwordHash ?? null
  if (await attempts.withPassword({ request, reply }, email, ({ verify }) => verify(passwordHash, password))) return
  throw new Failure('invalid', 'this is not your password', 'password')
}

/** The part of the body that was wrong. */
function fieldOf({ code, recoveryCode }: Proof): string {
  if (code !== undefined) return 'code'
  return recoveryCode === undefined ? 'passkey' : 'recoveryCode'
}
