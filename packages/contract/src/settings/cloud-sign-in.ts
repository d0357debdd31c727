import type { SettingTable } from './setting.ts'

/** Sign-in through an OpenID Connect provider. */
export const CLOUD_SIGN_IN = {
  PLANTROOM_OIDC_ISSUER: {
    place: 'cloud.oidc.issuer',
    kind: 'url',
    without: 'unset: passwords only',
    meaning: 'the issuer, without `/.well-known/…`',
    more: 'It must use https, unless it is on this machine. Needs `PLANTROOM_PUBLIC_URL`.',
  },
  PLANTROOM_OIDC_CLIENT_ID: {
    place: 'cloud.oidc.client_id',
    kind: 'text',
    without: 'required with an issuer',
    meaning: 'the provider shows it when you register Plantroom',
  },
  PLANTROOM_OIDC_CLIENT_SECRET: {
    place: 'cloud.oidc.client_secret',
    kind: 'text',
    secret: 'all',
    without: 'required with an issuer',
    meaning: 'the provider shows it when you register Plantroom',
  },
  PLANTROOM_OIDC_NAME: {
    place: 'cloud.oidc.name',
    kind: 'text',
    without: 'host of the issuer',
    meaning: 'name on the button, at most 40 characters',
  },
  PLANTROOM_OIDC_SCOPES: {
    place: 'cloud.oidc.scopes',
    kind: 'text',
    default: 'openid email',
    meaning: 'what Plantroom asks for; must contain `openid`',
  },
  PLANTROOM_OIDC_LINK_BY_EMAIL: {
    place: 'cloud.oidc.link_by_email',
    kind: 'choice',
    choices: ['verified'],
    without: 'unset: never',
    meaning: '`verified` links people by an address that the provider has verified, at their first sign-in',
    more: 'Set it only if everyone with an account at the provider owns the address that it names.',
  },
} as const satisfies SettingTable
