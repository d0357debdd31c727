import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOverrideIds, newIdKey } from './override-ids.ts'

describe('an override id', () => {
  const key = newIdKey()
  const ids = createOverrideIds(key)

  test('is new every time', () => {
    expect(new Set(Array.from({ length: 1000 }, () => ids.issue())).size).toBe(1000)
  })

  test('is known again by the same device, also after a restart', () => {
    expect(createOverrideIds(key).issued(ids.issue())).toBe(true)
  })

  test('is not known by another device', () => {
    expect(createOverrideIds(newIdKey()).issued(ids.issue())).toBe(false)
  })

  test('with one letter changed, or less, or more, is not known', () => {
    const id = ids.issue()
    for (let index = 0; index < id.length; index += 1) {
      const other = id[index] === 'a' ? 'b' : 'a'
      expect(ids.issued(id.slice(0, index) + other + id.slice(index + 1))).toBe(false)
      expect(ids.issued(id.slice(0, index))).toBe(false)
    }
    expect(ids.issued(`${id}0`)).toBe(false)
    expect(ids.issued(id.toUpperCase())).toBe(false)
  })

  test('is nothing that somebody could make up', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !ids.issued(text) && !ids.issued(`ovr_${text}`)))
    expect(ids.issued('ovr_'.repeat(100_000))).toBe(false)
  })
})
