import { expect, test } from 'vitest'
import { provesTwoFactors } from './two-factors.ts'

test.each([
  [['mfa'], true],
  [['pwd', 'otp'], true],
  [['fpt', 'hwk'], true],
  [['pwd'], false],
  [['hwk'], false],
  // Two of a kind are one factor.
  [['pwd', 'pin'], false],
  [['otp', 'sms'], false],
  [['user'], false],
  [[], false],
])('the methods %j of a provider are two factors: %s', (amr, verdict) => {
  expect(provesTwoFactors(amr)).toBe(verdict)
})
