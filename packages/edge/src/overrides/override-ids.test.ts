import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOverrideIds, newIdKey } from './override-ids.ts'

describe('an override id', () => {
  const key = newIdKey()
  const ids = createOverrideIds(key)

  test('is unique', () => {
    expect(new Set(Array.from({ length: 1000 }, () => ids.issue('key_1'))).size).toBe(1000)
  })

  test('is recognised by the device that issued it, even after a restart', () => {
    expect(createOverrideIds(key).issued(ids.issue('key_1'))).toBe(true)
  })

  test('is not recognised by another device', () => {
    expect(createOverrideIds(newIdKey()).issued(ids.issue('key_1'))).toBe(false)
  })

  test('is not recognised with a character changed, missing or added', () => {
    const id = ids.issue('key_1')
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

  test('is recognised as issued to its caller and to no other', () => {
    const id = ids.issue('key_1')
    expect(ids.issuedTo(id, 'key_1')).toBe(true)
    for (const other of ['key_2', 'key_11', 'key_', '', 'user:key_1', ' key_1']) {
      expect(ids.issuedTo(id, other)).toBe(false)
    }
    expect(createOverrideIds(newIdKey()).issuedTo(id, 'key_1')).toBe(false)
  })

  test('of an earlier version names no caller and is recognised for all', () => {
    const body = 'ovr_0123456789abcdefghjk'
    const id = `${body}${hash('sha256', `${key} ${body} ${key}`).slice(0, 16)}`
    expect([ids.issued(id), ids.issuedTo(id, 'key_1'), ids.issuedTo(id, 'key_2')]).toEqual([true, true, true])
  })
})
