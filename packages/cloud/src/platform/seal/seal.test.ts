import { expect, test } from 'vitest'
import { createSeal } from './index.ts'

test('a sealed secret opens with the same key for the same owner only', () => {
  const { seal, open } = createSeal('a key', 'factors')
  const sealed = seal('SECRET', 'usr_1')
  expect(sealed.toString('latin1')).not.toContain('SECRET')
  expect(seal('SECRET', 'usr_1').equals(sealed)).toBe(false)
  expect(open(sealed, 'usr_1')).toBe('SECRET')
  expect(() => open(sealed, 'usr_2')).toThrow(/the key of their secrets has changed/)
  expect(() => createSeal('another key', 'factors').open(sealed, 'usr_1')).toThrow(/restore the file factor-key/)
  expect(() => createSeal('a key', 'webhooks').open(sealed, 'usr_1')).toThrow(/the secret of this webhook/)
  const changed = Buffer.from(sealed)
  changed[14] = (changed[14] ?? 0) ^ 1
  expect(() => open(changed, 'usr_1')).toThrow()
  expect(() => open(Buffer.alloc(3), 'usr_1')).toThrow()
})
