import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Hole, halve, holeBetween, planReads, type Span } from './blocks.ts'

const LIMITS = { maxRegistersPerRead: 125, maxGap: 8 }
const at = (register: number, width = 1, table: Span['table'] = 'holding'): Span => ({ table, register, width })
const hole = (start: number, end: number): Hole => ({ table: 'holding', start, end })

const ranges = (points: readonly Span[], limits = LIMITS, holes: readonly Hole[] = []) =>
  planReads(points, limits, holes).map(({ start, end }) => [start, end])

describe('a plan of reads', () => {
  test('is empty without points', () => {
    expect(ranges([])).toEqual([])
  })

  test('merges adjacent registers, whatever their order', () => {
    expect(ranges([at(12), at(10, 2), at(13, 4)])).toEqual([[10, 17]])
  })

  test('bridges gaps up to the limit', () => {
    expect(ranges([at(0), at(9)])).toEqual([[0, 10]])
    expect(ranges([at(0), at(10)])).toEqual([
      [0, 1],
      [10, 11],
    ])
    expect(ranges([at(0), at(2)], { ...LIMITS, maxGap: 0 })).toEqual([
      [0, 1],
      [2, 3],
    ])
  })

  test('needs one request for every 125 adjacent registers', () => {
    for (const count of [1, 125, 126, 250, 251, 1000]) {
      const points = Array.from({ length: count }, (_, register) => at(register))
      expect(planReads(points, LIMITS, [])).toHaveLength(Math.ceil(count / 125))
    }
  })

  test('never splits a value across two requests', () => {
    expect(ranges([at(0, 2), at(2, 2), at(4, 2)], { ...LIMITS, maxRegistersPerRead: 5 })).toEqual([
      [0, 4],
      [4, 6],
    ])
  })

  test('reads each table separately', () => {
    const blocks = planReads([at(0), at(1, 1, 'input'), at(2)], LIMITS, [])
    expect(blocks.map(({ table, start, end }) => [table, start, end])).toEqual([
      ['holding', 0, 3],
      ['input', 1, 2],
    ])
  })

  test('reads up to 2000 coils per request', () => {
    const coils = Array.from({ length: 2001 }, (_, register) => at(register, 1, 'coil'))
    expect(ranges(coils, { ...LIMITS, maxRegistersPerRead: 10 })).toEqual([
      [0, 2000],
      [2000, 2001],
    ])
  })

  test('reads a register that several points share once', () => {
    expect(ranges([at(5), at(5), at(5, 2), at(6)])).toEqual([[5, 7]])
  })

  test('does not bridge a hole', () => {
    expect(ranges([at(0), at(3)], LIMITS, [hole(1, 2)])).toEqual([
      [0, 1],
      [3, 4],
    ])
  })

  test('reads a point in a hole alone, together with the points that share its range', () => {
    expect(ranges([at(0), at(1), at(1), at(2), at(3)], LIMITS, [hole(1, 2)])).toEqual([
      [0, 1],
      [1, 2],
      [2, 4],
    ])
  })

  test('does not read across a boundary', () => {
    expect(ranges([at(0), at(1), at(2), at(3)], LIMITS, [hole(2, 2)])).toEqual([
      [0, 2],
      [2, 4],
    ])
  })

  test('does not confuse a hole with the same range in another table', () => {
    expect(ranges([at(0, 1, 'input'), at(3, 1, 'input')], LIMITS, [hole(1, 2)])).toEqual([[0, 4]])
  })
})

describe('any plan', () => {
  const points = fc.array(
    fc.record({
      table: fc.constantFrom('holding' as const, 'input' as const),
      register: fc.nat(400),
      width: fc.constantFrom(1, 2, 4),
    }),
    { maxLength: 60 },
  )
  const limits = fc.record({ maxRegistersPerRead: fc.integer({ min: 4, max: 125 }), maxGap: fc.nat(20) })
  const holes = fc.array(
    fc.tuple(fc.nat(400), fc.nat(3)).map(([start, length]) => hole(start, start + length)),
    { maxLength: 5 },
  )

  test('reads each point once, whole, within the limits', () => {
    fc.assert(
      fc.property(points, limits, holes, (asked, limit, known) => {
        const blocks = planReads(asked, limit, known)
        expect(new Set(blocks.flatMap((block) => block.points))).toEqual(new Set(asked))
        expect(blocks.flatMap((block) => block.points)).toHaveLength(asked.length)
        for (const block of blocks) {
          expect(block.end - block.start).toBeLessThanOrEqual(limit.maxRegistersPerRead)
          for (const point of block.points) {
            expect(point.table).toBe(block.table)
            expect(point.register).toBeGreaterThanOrEqual(block.start)
            expect(point.register + point.width).toBeLessThanOrEqual(block.end)
          }
        }
      }),
    )
  })

  test('reads from a hole only for a point inside it', () => {
    fc.assert(
      fc.property(points, limits, holes, (asked, limit, known) => {
        for (const block of planReads(asked, limit, known)) {
          if (new Set(block.points.map((point) => `${point.register} ${point.width}`)).size === 1) continue
          for (const { table, start, end } of known) {
            const inside = table === block.table && block.start < end && start < block.end
            expect(inside && start < end).toBe(false)
          }
        }
      }),
    )
  })
})

describe('a refused block', () => {
  const [block] = planReads([at(0), at(1), at(4, 2), at(4, 2)], LIMITS, [])

  test('is split in half between its values', () => {
    const [left, right] = (block && halve(block)) ?? []
    expect([left?.start, left?.end, right?.start, right?.end]).toEqual([0, 1, 1, 6])
    const [inner, outer] = (right && halve(right)) ?? []
    expect([inner?.start, inner?.end, outer?.start, outer?.end]).toEqual([1, 2, 4, 6])
    expect(outer && halve(outer)).toBeUndefined()
    expect(inner && outer && holeBetween(inner, outer)).toEqual(hole(2, 4))
  })

  test('has no hole between halves that overlap', () => {
    const [left, right] = [planReads([at(0, 4)], LIMITS, [])[0], planReads([at(2, 4)], LIMITS, [])[0]]
    expect(left && right && holeBetween(left, right)).toBeUndefined()
  })
})
