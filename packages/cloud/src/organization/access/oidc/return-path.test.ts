import { expect, test } from 'vitest'
import { ownPage } from './return-path.ts'

test.each(['/', '/account', '/o/org_1/s/site_1/requests?state=open#top', '/a%2fb'])(
  '%s is a page of our own',
  (path) => {
    expect(ownPage(path)).toBe(path)
  },
)

test.each([
  undefined,
  '',
  'account',
  'https://evil.example/',
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/./\\evil.example',
  '/api/session/oidc',
  '/api',
  '/x/../api/session',
  `/${'a'.repeat(600)}`,
])('%j is not, and becomes the home page', (path) => {
  const page = ownPage(path)
  expect(page).toBe('/')
})
