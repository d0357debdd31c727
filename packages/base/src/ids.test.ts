import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { derivedId, newId } from './ids.ts'

const FORM = /^dev_[0-9a-hjkmnp-tv-z]{20}$/

describe('a new id', () => {
  test('has its prefix and twenty characters that are hard to confuse', () => {
    for (let i = 0; i < 1000; i += 1) expect(newId('dev')).toMatch(FORM)
  })

  test('is never repeated', () => {
    const ids = Array.from({ length: 100_000 }, () => newId('dev'))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('a derived id', () => {
  test('has the form of a new id', () => {
    expect(derivedId('dev', 'Demo building', 'Heat pump')).toMatch(FORM)
  })

  // Partners store these ids, so they must never change: changing this line would break all of them.
  test('is the same in every version', () => {
    expect(derivedId('dp', 'ts_1', 'Heat pump', 'Setpoint')).toBe('dp_nv7t5ha5n0r0txz4sch5')
  })

  test('depends on every part, on part boundaries and on the prefix', () => {
    const ids = [
      derivedId('dp', 'a', 'bc'),
      derivedId('dp', 'ab', 'c'),
      derivedId('dp', 'abc'),
      derivedId('dp', 'a', 'bc', ''),
      derivedId('dp', 'bc', 'a'),
      derivedId('dp', 'a","bc'),
      derivedId('conn', 'a', 'bc'),
    ]
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('is equal for equal parts and different for others', () => {
    const parts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 4 })
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const same = JSON.stringify(one) === JSON.stringify(other)
        expect(derivedId('dp', ...one) === derivedId('dp', ...other)).toBe(same)
      }),
    )
  })
})
