import { describe, expect, test } from 'vitest'
import { encryptPush, readBrowserKeys } from './encrypt-push.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

// The example of RFC 8291, appendix A.
const BROWSER = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

test('a message is encrypted as the standard says', () => {
  const fresh = {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  }
  const keys = { p256dh: bytes(BROWSER.p256dh), auth: bytes(BROWSER.auth) }
  const sent = encryptPush('When I grow up, I want to be a watermelon', keys, fresh)
  expect(sent.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('the same message is never sent twice as the same bytes', () => {
  const keys = { p256dh: bytes(BROWSER.p256dh), auth: bytes(BROWSER.auth) }
  expect(encryptPush('x', keys)).not.toEqual(encryptPush('x', keys))
})

describe('the keys of a browser', () => {
  test('are read', () => {
    expect(readBrowserKeys(BROWSER)?.p256dh).toHaveLength(65)
  })

  test.each([
    ['too short', { ...BROWSER, p256dh: 'BCVx' }],
    ['a secret of another length', { ...BROWSER, auth: 'BTBZ' }],
    [
      'a point beside the curve',
      { ...BROWSER, p256dh: Buffer.concat([Buffer.of(4), Buffer.alloc(64, 7)]).toString('base64url') },
    ],
  ])('are refused: %s', (_name, keys) => {
    expect(readBrowserKeys(keys)).toBeUndefined()
  })
})
