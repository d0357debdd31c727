import { name, time, timeOrNull } from '../fields.ts'
import { SignedIn } from '../roles.ts'
import { route } from '../route.ts'
import {
  anyObject,
  anyOfObjects,
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from '../schema.ts'

/** Text that a person types and that is only compared. */
export const typed = text({ maxLength: 1024 })
const tag = 'Sign in'
const fromOwnPages = { by: 'anyone', fromOwnPages: true } as const
const own = { by: 'session' } as const
const fresh = { by: 'session', fresh: true } as const

/** The second factors that a person can prove. */
export const SECOND_FACTOR_METHODS = ['totp', 'passkey', 'recovery-code'] as const
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number]
const VERIFY_METHODS = ['password', ...SECOND_FACTOR_METHODS] as const
export type VerifyMethod = (typeof VERIFY_METHODS)[number]

const passkeyOptions = anyObject({
  description:
    'For `PublicKeyCredential.parseRequestOptionsFromJSON` of a browser; missing without a passkey for this address',
})
const passkeyAnswer = anyObject({ description: 'What `toJSON()` of the credential of a browser returns' })

/** The password was right, and a second factor is missing. There is no session yet. */
export const SecondFactorNeeded = object({
  secondFactor: object({
    methods: array(oneOf(SECOND_FACTOR_METHODS)),
    passkey: optional(passkeyOptions),
  }),
})
export interface SecondFactorNeeded extends Static<typeof SecondFactorNeeded> {}

/** The signed-in person, or what is missing to sign in. */
export const SignInAnswer = anyOfObjects([SignedIn, SecondFactorNeeded])
export type SignInAnswer = SignedIn | SecondFactorNeeded

const secondFactorProof = {
  code: optional(text({ maxLength: 32, description: 'The six digits of an authenticator app' })),
  recoveryCode: optional(text({ maxLength: 64, description: 'One of the recovery codes' })),
  passkey: optional(passkeyAnswer),
}
/** One of these proves who the person is. */
export const Proof = object({ password: optional(typed), ...secondFactorProof })
export interface Proof extends Static<typeof Proof> {}

export const OwnPasskey = object({ id: text(), name: text(), createdAt: time(), lastUsedAt: timeOrNull() })
export interface OwnPasskey extends Static<typeof OwnPasskey> {}

/** The second factors of the signed-in person. */
export const Factors = object({
  totp: boolean({ description: 'An authenticator app is set up' }),
  passkeys: array(OwnPasskey),
  recoveryCodes: integer({ description: 'Recovery codes that are not used yet' }),
})
export interface Factors extends Static<typeof Factors> {}

const recoveryCodes = array(text(), { description: 'Shown once; each works once' })
const firstCodes = nullable(recoveryCodes, { description: 'With the first factor; shown once, each works once' })

/** Second factors: signing in with them, setting them up, and proving again who a person is. */
export const factorRoutes = {
  askSecondFactor: route({
    method: 'POST',
    path: '/api/session/second-factor/options',
    access: { by: 'anyone', fromOwnPages: true },
    tag,
    summary: 'What is missing after a sign-in through the provider',
    reply: SecondFactorNeeded,
  }),
  completeSignIn: route({
    method: 'POST',
    path: '/api/session/second-factor',
    access: fromOwnPages,
    tag,
    summary: 'Complete a sign-in with a second factor, within five minutes and in the same browser',
    body: object(secondFactorProof),
    reply: SignedIn,
  }),
  startPasskeySignIn: route({
    method: 'POST',
    path: '/api/session/passkey/options',
    access: fromOwnPages,
    tag,
    summary: 'Begin to sign in with a passkey and without a password',
    reply: object({ options: passkeyOptions }),
  }),
  signInWithPasskey: route({
    method: 'POST',
    path: '/api/session/passkey',
    access: fromOwnPages,
    tag,
    summary: 'Sign in with a passkey that verifies its owner; it counts as two factors',
    body: object({ passkey: passkeyAnswer }),
    reply: SignedIn,
  }),
  startVerification: route({
    method: 'POST',
    path: '/api/session/verify/options',
    access: own,
    tag,
    summary: 'How you can prove again who you are',
    reply: object({ methods: array(oneOf(VERIFY_METHODS)), passkey: optional(passkeyOptions) }),
  }),
  verifySession: route({
    method: 'POST',
    path: '/api/session/verify',
    access: own,
    tag,
    summary: 'Prove again who you are, with your password or a factor; it counts for 15 minutes',
    body: Proof,
    status: 204,
  }),
  listFactors: route({
    method: 'GET',
    path: '/api/session/factors',
    access: own,
    tag,
    summary: 'List your second factors',
    reply: Factors,
  }),
  startTotp: route({
    method: 'POST',
    path: '/api/session/totp',
    access: fresh,
    tag,
    summary: 'Begin to set up an authenticator app; its secret is in this reply and never shown again',
    reply: object({ secret: text(), uri: text({ description: 'The content of a QR code' }) }),
  }),
  confirmTotp: route({
    method: 'PUT',
    path: '/api/session/totp',
    access: fresh,
    tag,
    summary: 'Turn on the authenticator app with a code that it shows; with a first factor your other sessions end',
    body: object({ code: text({ maxLength: 32 }) }),
    reply: object({ recoveryCodes: firstCodes }),
  }),
  removeTotp: route({
    method: 'DELETE',
    path: '/api/session/totp',
    access: fresh,
    tag,
    summary: 'Turn off the authenticator app',
    status: 204,
  }),
  renewRecoveryCodes: route({
    method: 'POST',
    path: '/api/session/recovery-codes',
    access: fresh,
    tag,
    summary: 'Get ten new recovery codes; the earlier ones stop working',
    reply: object({ recoveryCodes }),
  }),
  startPasskey: route({
    method: 'POST',
    path: '/api/session/passkeys/options',
    access: fresh,
    tag,
    summary: 'Begin to add a passkey',
    reply: object({
      options: anyObject({ description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON` of a browser' }),
    }),
  }),
  addPasskey: route({
    method: 'POST',
    path: '/api/session/passkeys',
    access: fresh,
    tag,
    summary: 'Add a passkey that a browser created; with a first factor your other sessions end',
    body: object({ name, passkey: passkeyAnswer }),
    status: 201,
    reply: object({ passkey: OwnPasskey, recoveryCodes: firstCodes }),
  }),
  renamePasskey: route({
    method: 'PATCH',
    path: '/api/session/passkeys/:passkeyId',
    access: own,
    tag,
    summary: 'Rename a passkey',
    body: object({ name }),
    status: 204,
  }),
  removePasskey: route({
    method: 'DELETE',
    path: '/api/session/passkeys/:passkeyId',
    access: fresh,
    tag,
    summary: 'Remove a passkey',
    status: 204,
  }),
} as const
