import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const SET = {
  PLANTROOM_PUBLIC_URL: 'https://plantroom.example',
  PLANTROOM_OIDC_ISSUER: 'https://sso.example',
  PLANTROOM_OIDC_CLIENT_ID: 'plantroom',
  PLANTROOM_OIDC_CLIENT_SECRET: 'hunter2',
}

describe('the settings of a provider', () => {
  test('are complete with an issuer, a client and the public address', () => {
    expect(readConfig(SET).oidc).toEqual({
      issuer: 'https://sso.example/',
      clientId: 'plantroom',
      clientSecret: 'hunter2',
      name: 'sso.example',
      scopes: 'openid email',
      linkByVerifiedEmail: false,
    })
    const more = {
      PLANTROOM_OIDC_NAME: 'Example SSO',
      PLANTROOM_OIDC_SCOPES: 'openid profile',
      PLANTROOM_OIDC_LINK_BY_EMAIL: 'verified',
    }
    expect(readConfig({ ...SET, ...more }).oidc).toMatchObject({
      name: 'Example SSO',
      scopes: 'openid profile',
      linkByVerifiedEmail: true,
    })
  })

  test('allow http only for a provider on this machine', () => {
    for (const issuer of ['http://127.0.0.1:3000/', 'http://localhost:3000/', 'http://[::1]:3000/']) {
      expect(readConfig({ ...SET, PLANTROOM_OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer)
    }
    for (const issuer of ['http://sso.example', 'http://127.0.0.1.evil.example', 'ftp://sso.example']) {
      expect(() => readConfig({ ...SET, PLANTROOM_OIDC_ISSUER: issuer })).toThrow(/PLANTROOM_OIDC_ISSUER: .*https/)
    }
  })

  test.each([
    ['PLANTROOM_PUBLIC_URL', '', 'PLANTROOM_PUBLIC_URL: missing'],
    ['PLANTROOM_OIDC_ISSUER', '', 'PLANTROOM_OIDC_ISSUER: missing'],
    ['PLANTROOM_OIDC_ISSUER', 'sso', 'PLANTROOM_OIDC_ISSUER: not an address'],
    ['PLANTROOM_OIDC_ISSUER', 'https://sso.example/.well-known/openid-configuration', 'leave out /.well-known/'],
    ['PLANTROOM_OIDC_ISSUER', 'https://sso.example/?a=b', 'an issuer never has'],
    ['PLANTROOM_OIDC_CLIENT_ID', '', 'PLANTROOM_OIDC_CLIENT_ID: missing'],
    ['PLANTROOM_OIDC_CLIENT_SECRET', '', 'PLANTROOM_OIDC_CLIENT_SECRET: missing'],
    ['PLANTROOM_OIDC_SCOPES', 'email', 'does not contain openid'],
    ['PLANTROOM_OIDC_NAME', 'x'.repeat(41), 'longer than 40'],
    ['PLANTROOM_OIDC_LINK_BY_EMAIL', 'yes', 'yes is not verified'],
  ])('report a mistake in %s (%j)', (name, value, problem) => {
    const read = () => readConfig({ ...SET, [name]: value })
    expect(read).toThrow(problem)
    expect(read).toThrow(/^(?!.*hunter2)/)
  })
})
