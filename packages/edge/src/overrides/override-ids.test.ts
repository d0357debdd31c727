import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOverrideIds, newIdKey } from './override-ids.ts'

describe('an override id', () => {
  const key = newIdKey()
  const ids = createOverrideIds(key)

  test('is unique', () => {
    expect(new Set(Array.from({ length: 1000 }, () => ids.issue())).size).toBe(1000)
  })

  test('is recognised by the device that issued it, even after a restart', () => {
    expect(createOverrideIds(key).issued(ids.issue())).toBe(true)
  })

  test('is not recognised by another device', () => {
    expect(createOverrideIds(newIdKey()).issued(ids.issue())).toBe(false)
  })

  test('is not recognised with a character changed, missing or added', () => {
    const id = ids.issue()
    for (let index = 0; index < id.length; index += 1) {
      const other = id[index] === 'a' ? 'b' : 'a'
      expect(ids.issued(id.slice(0, index) + other + id.slice(index + 1))).toBe(false)
      expect(ids.issued(id.slice(0, index))).toBe(false)
    }
    expect(ids.issued(`${id}0`)).toBe(false)
    expect(ids.issued(id.toUpperCase())).toBe(false)
  })

  test('cannot be forged', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !ids.issued(text) && !ids.issued(`ovr_${text}`)))
    expect(ids.issued('ovr_'.repeat(100_000))).toBe(false)
  })

  test('of an earlier version, with a check of its caller, is recognised', () => {
    const body = 'ovr_0123456789abcdefghjk0123456789ab'
    expect(ids.issued(`${body}${hash('sha256', `${key} ${body} ${key}`).slice(0, 16)}`)).toBe(true)
  })

  test('of the controller before is recognised', () => {
    expect(createOverrideIds(key, new Map([['ovr_x', 'key_1']])).issued('ovr_x')).toBe(true)
  })
})
