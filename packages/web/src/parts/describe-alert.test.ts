import { ALERT_KINDS } from '@plantroom/contract/alerts'
import { expect, test } from 'vitest'
import { adviseOn, describeAlert } from './describe-alert.ts'

test.each(ALERT_KINDS)('says what %s is about', (kind) => {
  const subject = { kind: 'connection', id: 'con_1', name: 'Inverter' } as const
  const sentence = describeAlert({ kind, subject, deviceName: 'Plant room' })
  expect(sentence).toMatch(/Inverter|Plant room/)
  expect(sentence).not.toMatch(/[{}]/)
  expect(adviseOn({ kind, details: {} })).toMatch(/^[A-Z].*\.$/)
})

test('an automatic export says why it failed before what to do', () => {
  const advice = (details: object) => adviseOn({ kind: 'export-failed', details: { ...details } })
  expect(advice({ cause: 'failed', reason: 'dav.example answered 401: the password is wrong' })).toMatch(
    /^Dav\.example answered 401: the password is wrong\. Open Import/,
  )
  expect(advice({ cause: 'missed', reason: 'in English' })).toMatch(/no worker is running\. .* Open Import/)
  expect(advice({ cause: 'constructor', reason: 'unknown' })).toMatch(/^Unknown\. Open/)
})

test('a missed power limit says by how much and why before what to do, as far as it is known', () => {
  const advice = (details: object) => adviseOn({ kind: 'limit-not-kept', details: { ...details } })
  expect(advice({ meanKw: 66.25, limitKw: 60, state: 'exhausted' })).toMatch(
    /^The mean was 66\.3\skW, the limit 60\skW\. Everything that may be moved was moved: .* Open the interval/,
  )
  expect(advice({ meanKw: null, state: 'fallback' })).toMatch(/^The meter could not be trusted: .* Open the interval/)
  expect(advice({ state: 'constructor' })).toMatch(/^Open the interval/)
})
