import type { Clock } from '@plantroom/base/clock'
import type { Proof, SecondFactorMethod } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyRequest } from 'fastify'
import type { Seal } from '../../../platform/seal/index.ts'
import type { FactorStore } from './factor-store.ts'
import { type Passkeys, pageOf } from './passkeys.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'

/** What a person can use now, and what their passkey has to sign. */
export interface Question {
  methods: SecondFactorMethod[]
  passkey?: Record<string, unknown>
  toSign: string | null
}

/** What a person sent to prove who they are. */
export type SentProof = { [Name in keyof Proof]: Proof[Name] | undefined }

/** Asks people for their second factor and checks what they send. */
export interface SecondFactors {
  isNeeded(userId: string): Promise<boolean>
  /** Returns `undefined` for a person without a second factor. */
  ask(request: FastifyRequest, userId: string): Promise<Question | undefined>
  /** Checks one proof. Each code and each question works once, in all processes together. */
  check(
    request: FastifyRequest,
    userId: string,
    proof: SentProof,
    takeToSign: () => Promise<string | undefined>,
  ): Promise<boolean>
}

export function createSecondFactors(deps: {
  store: Pick<FactorStore, 'read' | 'hasFactor' | 'findTotp' | 'useStep' | 'useRecoveryCode'>
  passkeys: Pick<Passkeys, 'askFor' | 'check'>
  seal: Seal
  clock: Clock
}): SecondFactors {
  const { store, passkeys, seal, clock } = deps

  async function checkCode(userId: string, code: string): Promise<boolean> {
    const found = await store.findTotp(userId)
    if (!found || found.confirmedAt === null) return false
    const step = await stepOfCode(seal.open(found.secret, userId), code, clock.now())
    return step !== undefined && store.useStep(userId, step)
  }

  return {
    isNeeded: store.hasFactor,

    async ask(request, userId) {
      if (!(await store.hasFactor(userId))) return undefined
      const { totp, recoveryCodes } = await store.read(userId)
      const asked = await passkeys.askFor(pageOf(request), userId)
      const methods: SecondFactorMethod[] = []
      if (asked) methods.push('passkey')
      if (totp) methods.push('totp')
      if (recoveryCodes > 0) methods.push('recovery-code')
      return { methods, ...(asked && { passkey: { ...asked.options } }), toSign: asked?.toSign ?? null }
    },

    async check(request, userId, { code, recoveryCode, passkey }, takeToSign) {
      if (code !== undefined) return checkCode(userId, code)
      if (recoveryCode !== undefined) return store.useRecoveryCode(userId, hashRecoveryCode(userId, recoveryCode))
      if (passkey !== undefined) return (await passkeys.check(pageOf(request), await takeToSign(), passkey)) === userId
      return false
    },
  }
}

/** Throws unless a person sent exactly one proof. */
export function requireOneProof(proof: SentProof): void {
  const { password, code, recoveryCode, passkey } = proof
  const sent = [password, code, recoveryCode, passkey].filter((each) => each !== undefined)
  if (sent.length !== 1) throw new Failure('invalid', 'send one of password, code, recoveryCode and passkey', 'body')
}
