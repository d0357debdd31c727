import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { createPendingSignIns, PENDING_COOKIE, PENDING_MS } from './pending-sign-in.ts'

function openTest(secret = 'client secret') {
  const clock = createManualClock()
  return { clock, pendings: createPendingSignIns({ secret, clock }) }
}
const sent = (cookie: string) => cookie.split(';')[0] ?? ''

test('a pending sign-in is found again by the browser that started it, with its state', () => {
  const { pendings } = openTest()
  const { pending, cookie } = pendings.start({ do: 'link', sessionId: 'ses_1' }, '/account')
  expect(cookie).toMatch(/^__Host-oidc-plantroom=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  expect(pendings.find(`other=1; ${sent(cookie)}`, pending.state)).toEqual(pending)
  expect(new Set([pending.state, pending.nonce, pending.verifier]).size).toBe(3)
})

test('the cookie shows neither the state, the nonce, the verifier nor the token of an invitation', () => {
  const { pendings } = openTest()
  const { pending, cookie } = pendings.start({ do: 'accept', token: 'invitation-token' }, '/')
  const text = Buffer.from(sent(cookie).split('=')[1] ?? '', 'base64url').toString('latin1')
  for (const secret of [pending.state, pending.nonce, pending.verifier, 'invitation-token']) {
    expect(text).not.toContain(secret)
  }
})

test('it is not found with another state, without the cookie, or in another browser', () => {
  const { pendings } = openTest()
  const mine = pendings.start({ do: 'sign-in' }, '/')
  const other = pendings.start({ do: 'sign-in' }, '/')
  expect(pendings.find(sent(mine.cookie), other.pending.state)).toBeUndefined()
  expect(pendings.find(sent(mine.cookie), null)).toBeUndefined()
  expect(pendings.find(sent(mine.cookie), '')).toBeUndefined()
  expect(pendings.find(undefined, mine.pending.state)).toBeUndefined()
  expect(pendings.find(sent(other.cookie), mine.pending.state)).toBeUndefined()
})

test('it expires after ten minutes', () => {
  const { pendings, clock } = openTest()
  const { pending, cookie } = pendings.start({ do: 'sign-in' }, '/')
  clock.advanceNow(PENDING_MS - 1)
  expect(pendings.find(sent(cookie), pending.state)).toEqual(pending)
  clock.advanceNow(1)
  expect(pendings.find(sent(cookie), pending.state)).toBeUndefined()
})

test('a cookie that was changed, cut or written with another secret counts as none', () => {
  const { pendings } = openTest()
  const { pending, cookie } = pendings.start({ do: 'sign-in' }, '/')
  const value = sent(cookie).split('=')[1] ?? ''
  const foreign = openTest('another secret').pendings
  expect(foreign.find(sent(cookie), pending.state)).toBeUndefined()
  const flipped = `${value.slice(0, 40)}${value[40] === 'A' ? 'B' : 'A'}${value.slice(41)}`
  for (const changed of [flipped, value.slice(0, 20), value.slice(0, -1), '', 'x', '%00']) {
    expect(pendings.find(`${PENDING_COOKIE}=${changed}`, pending.state)).toBeUndefined()
  }
})
