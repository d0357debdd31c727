import { generate } from 'otplib'
import { expect, test } from 'vitest'
import { makeTotp, stepOfCode } from './totp.ts'

const STEP = 30_000
const NOW = Date.UTC(2030, 0, 1, 12, 0, 7)

test('a code is accepted one step early or late, and no further, with the step it belongs to', async () => {
  const { secret } = await makeTotp('mari@example.ee')
  for (const drift of [-3, -2, -1, 0, 1, 2, 3]) {
    // Also at both ends of a step.
    for (const at of [NOW - 7000, NOW, NOW + 22_999]) {
      const token = await generate({ secret, epoch: Math.floor((at + drift * STEP) / 1000) })
      const step = Math.floor(at / STEP) + drift
      expect([drift, await stepOfCode(secret, token, at)]).toEqual([drift, Math.abs(drift) <= 1 ? step : undefined])
    }
  }
})

test.each(['', '12345', '1234567', 'abcdef', '12 34 5', '１２３４５６', '000000\0'])(
  '%j is not a code',
  async (typed) => {
    const { secret } = await makeTotp('mari@example.ee')
    expect(await stepOfCode(secret, typed, NOW)).toBeUndefined()
  },
)

test('spaces in a code do not matter, and the QR code names the service and the account', async () => {
  const { secret, uri } = await makeTotp('mari@example.ee')
  const token = await generate({ secret, epoch: NOW / 1000 })
  expect(await stepOfCode(secret, `${token.slice(0, 3)} ${token.slice(3)} `, NOW)).toBeDefined()
  expect(uri).toBe(`otpauth://totp/Plantroom:mari%40example.ee?secret=${secret}&issuer=Plantroom`)
})
