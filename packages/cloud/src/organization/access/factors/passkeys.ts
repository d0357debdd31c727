import { isIP } from 'node:net'
import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import type { PasskeyStore, StoredPasskey } from './passkey-store.ts'

/** Loaded on first use: it takes 200 ms of the start. */
const webauthn = () => import('@simplewebauthn/server')

const CREDENTIAL_ID = /^[\w-]{1,1400}$/
const TIMEOUT_MS = 5 * 60_000

/** What a browser sent. The library checks every part of it. */
type FromBrowser = Readonly<Record<string, unknown>>

/** The page that asks for a passkey. */
interface Page {
  origin: string
  rpId: string
}

/** The page of a request whose `Origin` header was checked before. Passkeys are bound to its host name. */
export function pageOf(request: FastifyRequest): Page {
  const { origin, hostname } = new URL(String(request.headers.origin))
  return { origin, rpId: hostname }
}

/** Passkeys do not work at IP addresses. */
export const canHavePasskeys = ({ rpId }: Page): boolean => isIP(rpId.replace(/^\[|\]$/g, '')) === 0

function requireName(page: Page): void {
  if (canHavePasskeys(page)) return
  throw new Failure(
    'conflict',
    'browsers allow passkeys only at a host name: open this page by its name instead of its IP address, on this machine as localhost',
  )
}

interface CreatedPasskey extends Omit<StoredPasskey, 'id' | 'userId'> {}

/** Creates the questions that browsers answer with passkeys, and checks the answers. */
export interface Passkeys {
  /** The question for a new passkey, with what it has to sign. */
  askForNew(page: Page, user: { id: string; email: string }): Promise<{ options: object; toSign: string }>
  /** Returns the passkey of an answer; throws `invalid` when it is not right. */
  checkNew(page: Page, toSign: string | undefined, answer: FromBrowser): Promise<CreatedPasskey>
  /** The question for a passkey of a person; `undefined` when they have none for this page. */
  askFor(page: Page, userId: string): Promise<{ options: object; toSign: string } | undefined>
  /** The question for any passkey that verifies its owner. */
  askForAny(page: Page): Promise<{ options: object; toSign: string }>
  /** Returns whose passkey signed; `undefined` when the answer is not right. `alone` is without a password. */
  check(page: Page, toSign: string | undefined, answer: FromBrowser, alone?: boolean): Promise<string | undefined>
}

export function createPasskeys({ store, clock }: { store: PasskeyStore; clock: Clock }): Passkeys {
  return {
    async askForNew(page, { id, email }) {
      requireName(page)
      const { generateRegistrationOptions } = await webauthn()
      const options = await generateRegistrationOptions({
        rpName: 'Plantroom',
        rpID: page.rpId,
        userID: new Uint8Array(Buffer.from(id)),
        userName: email,
        userDisplayName: email,
        timeout: TIMEOUT_MS,
        attestationType: 'none',
        excludeCredentials: await store.usableAt(id, page.rpId),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      })
      return { options, toSign: options.challenge }
    },

    async checkNew(page, toSign, answer) {
      const registered = toSign === undefined ? undefined : await verifyNew(page, toSign, answer)
      const credential = registered?.credential
      if (!credential || !CREDENTIAL_ID.test(credential.id)) {
        throw new Failure('invalid', 'the passkey was not created for this page, or too late: try again', 'passkey')
      }
      const { id, publicKey, counter, transports = [] } = credential
      const known = transports.filter((each) => /^[\w-]{1,32}$/.test(each)).slice(0, 10)
      return { credentialId: id, rpId: page.rpId, publicKey: Buffer.from(publicKey), counter, transports: known }
    },

    async askFor(page, userId) {
      const allowCredentials = await store.usableAt(userId, page.rpId)
      if (allowCredentials.length === 0) return undefined
      const { generateAuthenticationOptions } = await webauthn()
      const options = await generateAuthenticationOptions({
        rpID: page.rpId,
        timeout: TIMEOUT_MS,
        allowCredentials,
        userVerification: 'preferred',
      })
      return { options, toSign: options.challenge }
    },

    async askForAny(page) {
      requireName(page)
      const { generateAuthenticationOptions } = await webauthn()
      const options = await generateAuthenticationOptions({
        rpID: page.rpId,
        timeout: TIMEOUT_MS,
        userVerification: 'required',
      })
      return { options, toSign: options.challenge }
    },

    async check(page, toSign, answer, alone = false) {
      const { id } = answer
      if (toSign === undefined || typeof id !== 'string' || !CREDENTIAL_ID.test(id)) return undefined
      const passkey = await store.find(id, page.rpId)
      if (!passkey) return undefined
      if (alone && ownerIn(answer) !== passkey.userId) return undefined
      const counter = await verifyAnswer(page, toSign, answer, passkey, alone)
      if (counter === undefined) return undefined
      return (await store.use(passkey.id, counter, new Date(clock.now()))) ? passkey.userId : undefined
    },
  }
}

async function verifyNew(page: Page, toSign: string, answer: FromBrowser) {
  const { verifyRegistrationResponse } = await webauthn()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: toSign,
      expectedOrigin: page.origin,
      expectedRPID: page.rpId,
      requireUserVerification: false,
    })
    return registrationInfo
  } catch {
    // The library throws for everything that is wrong.
    return undefined
  }
}

/** Returns the new counter; `undefined` when the signature, its counter or anything else is wrong. */
async function verifyAnswer(
  page: Page,
  toSign: string,
  answer: FromBrowser,
  { credentialId, publicKey, counter }: StoredPasskey,
  requireUserVerification: boolean,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webauthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: toSign,
      expectedOrigin: page.origin,
      expectedRPID: page.rpId,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
      requireUserVerification,
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

/** The account that a discoverable passkey says it belongs to. */
function ownerIn({ response }: FromBrowser): string | undefined {
  const handle = (response as { userHandle?: unknown } | undefined)?.userHandle
  return typeof handle === 'string' ? Buffer.from(handle, 'base64url').toString() : undefined
}
