import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Db, explainConflicts } from '../../../platform/db/database.ts'
import { addRoute } from '../../../platform/routes/index.ts'
import type { Seal } from '../../../platform/seal/index.ts'
import type { ActivityLog } from '../../activity/index.ts'
import { ofThemselves } from '../own-activity.ts'
import type { AccountMailer } from '../people/account-mailer.ts'
import { countUse, type QuotaStore } from '../quota-store.ts'
import { hashSecret } from '../secrets.ts'
import type { ChallengeStore } from './challenge-store.ts'
import { createFactorStore, type FactorStore, type NewFactor } from './factor-store.ts'
import { createPasskeyStore, type PasskeyStore } from './passkey-store.ts'
import { type Passkeys, pageOf } from './passkeys.ts'
import { hashRecoveryCode, makeRecoveryCodes } from './recovery-codes.ts'
import { CHALLENGE_MS } from './sign-in-steps.ts'
import { makeTotp, stepOfCode } from './totp.ts'

interface FactorRouteDeps {
  store: Pick<FactorStore, 'read' | 'startTotp' | 'findTotp'>
  passkeyStore: Pick<PasskeyStore, 'list' | 'rename'>
  activity: ActivityLog
  passkeys: Pick<Passkeys, 'askForNew' | 'checkNew'>
  challenges: Pick<ChallengeStore, 'add' | 'take'>
  seal: Seal
  quotas: Pick<QuotaStore, 'count'>
  mailer: AccountMailer | undefined
  clock: Clock
}

/** A person can add and remove factors without end, and the address may be someone else's. */
const MAILS_PER_HOUR = 10
const HOUR_MS = 3_600_000

/** Lets people list, set up and remove their second factors. */
export function factorRoutes(app: FastifyInstance, deps: FactorRouteDeps): void {
  const { store, passkeyStore, activity, seal, clock } = deps

  addRoute(app, API.listFactors, async ({ userId = '' }) => {
    return { ...(await store.read(userId)), passkeys: await passkeyStore.list(userId) }
  })

  addRoute(app, API.startTotp, async ({ userId = '', email = '' }) => {
    const made = await makeTotp(email)
    if (!(await store.startTotp(userId, seal.seal(made.secret, userId)))) throw alreadyOn()
    return made
  })

  addRoute(app, API.confirmTotp, async (request) => {
    const { userId = '' } = request
    const started = await store.findTotp(userId)
    if (!started) throw new Failure('conflict', 'no authenticator app waits for its first code: begin to set one up')
    if (started.confirmedAt !== null) throw alreadyOn()
    const step = await stepOfCode(seal.open(started.secret, userId), request.body.code, clock.now())
    if (step === undefined) {
      throw new Failure(
        'invalid',
        'code is not the code that your app shows now: check the clock of your phone',
        'code',
      )
    }
    const { codes, added } = await newFactor(request, 'an authenticator app', deps)
    const confirmed = await activity.change(request, async (tx, note) => {
      const found = await createFactorStore(tx).confirmTotp(added, started.secret, step, new Date(clock.now()))
      if (!found) throw alreadyOn()
      note({ ...(await ofThemselves(tx, request)), action: 'factor-added', details: { factor: 'totp' } })
      return found
    })
    return { recoveryCodes: confirmed.isFirst ? codes : null }
  })

  addRoute(app, API.removeTotp, async (request) => {
    await activity.change(request, async (tx, note) => {
      if (!(await createFactorStore(tx).removeTotp(request.userId ?? ''))) {
        throw new Failure('notFound', 'you have not set up an authenticator app')
      }
      note({ ...(await ofThemselves(tx, request)), action: 'factor-removed', details: { factor: 'totp' } })
    })
  })

  addRoute(app, API.renewRecoveryCodes, async (request) => {
    const { userId = '' } = request
    const { codes, codeHashes } = newCodes(userId)
    await activity.change(request, async (tx, note) => {
      if (!(await createFactorStore(tx).replaceRecoveryCodes(userId, codeHashes))) {
        throw new Failure('conflict', 'you have no second factor: set up an authenticator app or a passkey first')
      }
      note({ ...(await ofThemselves(tx, request)), action: 'recovery-codes-renewed' })
    })
    return { recoveryCodes: codes }
  })

  passkeyRoutes(app, deps)
}

function passkeyRoutes(app: FastifyInstance, deps: FactorRouteDeps): void {
  const { passkeyStore, passkeys, activity, challenges, clock } = deps
  const hashOf = ({ sessionId = '' }: FastifyRequest) => hashSecret(JSON.stringify(['add-passkey', sessionId]))
  const now = () => new Date(clock.now())

  addRoute(app, API.startPasskey, async (request) => {
    const { userId = '', email = '' } = request
    const { options, toSign } = await passkeys.askForNew(pageOf(request), { id: userId, email })
    const expiresAt = new Date(clock.now() + CHALLENGE_MS)
    const challenge = { purpose: 'add-passkey', userId, passwordHash: null, toSign } as const
    await challenges.add({ ...challenge, hash: hashOf(request), expiresAt })
    return { options: { ...options } }
  })

  addRoute(app, API.addPasskey, async (request) => {
    const { name, passkey } = request.body
    const challenge = await challenges.take(hashOf(request), 'add-passkey', now())
    const created = await passkeys.checkNew(pageOf(request), challenge?.toSign ?? undefined, passkey)
    const { codes, added: factor } = await newFactor(request, 'a passkey', deps)
    const id = newId('psk')
    const at = now()
    const change = activity.change(request, async (tx, note) => {
      const found = await createPasskeyStore(tx).add(factor, { ...created, id, name }, at)
      if (found === 'full') throw new Failure('conflict', 'you have 20 passkeys, which is the limit: remove one first')
      note({ ...(await ofThemselves(tx, request)), action: 'factor-added', details: { factor: 'passkey', name } })
      return found
    })
    const added = await explainConflicts(change, {
      passkey_credential_id_key: new Failure('conflict', 'this passkey is already in use: create another one'),
    })
    return { passkey: { id, name, createdAt: at, lastUsedAt: null }, recoveryCodes: added.isFirst ? codes : null }
  })

  addRoute(app, API.renamePasskey, async (request) => {
    const { passkeyId } = request.params
    if (!(await passkeyStore.rename(request.userId ?? '', passkeyId, request.body.name))) throw unknown(passkeyId)
  })

  addRoute(app, API.removePasskey, async (request) => {
    const { passkeyId } = request.params
    await activity.change(request, async (tx, note) => {
      if (!(await createPasskeyStore(tx).remove(request.userId ?? '', passkeyId))) throw unknown(passkeyId)
      note({ ...(await ofThemselves(tx, request)), action: 'factor-removed', details: { factor: 'passkey' } })
    })
  })
}

function newCodes(userId: string): { codes: string[]; codeHashes: Buffer[] } {
  const codes = makeRecoveryCodes()
  return { codes, codeHashes: codes.map((code) => hashRecoveryCode(userId, code)) }
}

/** The factor that a person adds, with recovery codes for the case that it is the first, and a mail to its owner. */
async function newFactor(
  { userId = '', sessionId = '', email = '' }: FastifyRequest,
  factor: string,
  { mailer, quotas, clock }: FactorRouteDeps,
): Promise<{ codes: string[]; added: NewFactor }> {
  const { codes, codeHashes } = newCodes(userId)
  const limit = { subject: ['factor-mail', userId], limit: MAILS_PER_HOUR, periodMs: HOUR_MS }
  const isMailed = mailer !== undefined && (await countUse(quotas, clock, limit)) === 0
  const mail = isMailed ? (tx: Db) => mailer.factorAdded(tx, { to: email, factor }) : undefined
  return { codes, added: { userId, sessionId, codeHashes, mail } }
}

const alreadyOn = () => new Failure('conflict', 'an authenticator app is already set up: turn it off first')
const unknown = (id: string) => new Failure('notFound', `you have no passkey ${shown(id)}`)
