import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKnownIds } from './known-ids.ts'

describe('known ids', () => {
  test('contain exactly the ids that were added', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', 'a', 'a\0', 'a\0\0', '\ud800', '\ud801'),
    )
    fc.assert(
      fc.property(fc.array(text, { maxLength: 200 }), (ids) => {
        const known = createKnownIds()
        const isNew = ids.map((id) => known.add(id))
        expect(isNew).toEqual(ids.map((id, index) => ids.indexOf(id) === index))
      }),
      cases(100),
    )
  })

  test('survive growing tables', () => {
    const known = createKnownIds()
    const count = 200_000
    let added = 0
    for (let id = 0; id < count; id += 1) added += Number(known.add(`request-${id}`))
    expect(added).toBe(count)
    for (let id = 0; id < count; id += 1) added += Number(known.add(`request-${id}`))
    expect(added).toBe(count)
  })

  test('take up to 30 bytes each', () => {
    const before = process.memoryUsage().arrayBuffers
    const known = createKnownIds()
    for (let id = 0; id < 1_000_000; id += 1) known.add(`${id}`)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30e6)
    expect(known.add('999999')).toBe(false)
  })
})
