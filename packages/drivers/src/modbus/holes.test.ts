import { describe, expect, test } from 'vitest'
import { createHoles, type KnownHole } from './holes.ts'

const hole = (start: number, end: number, exception?: number): KnownHole => ({
  table: 'holding',
  start,
  end,
  ...(exception !== undefined && { exception }),
})

/** What is known after these were learnt, and whether that changed the revision. */
function learnt(...known: KnownHole[]) {
  const holes = createHoles()
  for (const each of known) holes.remember(each)
  const before = holes.revision()
  return { holes, isOutOfDate: () => holes.revision() !== before }
}

describe('what the equipment refuses', () => {
  test('is remembered once, and makes plans out of date when it is new', () => {
    const { holes, isOutOfDate } = learnt(hole(1, 2, 2))
    holes.remember(hole(1, 2, 2))
    holes.remember(hole(1, 2, 3))
    expect(isOutOfDate()).toBe(false)
    holes.remember({ ...hole(1, 2, 2), table: 'input' })
    expect(isOutOfDate()).toBe(true)
    expect(holes.known()).toEqual([hole(1, 2, 2), { ...hole(1, 2, 2), table: 'input' }])
  })

  test('is forgotten when that very range could be read, and no other', () => {
    const { holes, isOutOfDate } = learnt(hole(1, 2, 2), hole(4, 6, 2))
    holes.forget(hole(1, 3))
    holes.forget({ ...hole(1, 2), table: 'input' })
    expect(isOutOfDate()).toBe(false)
    holes.forget(hole(4, 6))
    expect(isOutOfDate()).toBe(true)
    expect(holes.known()).toEqual([hole(1, 2, 2)])
  })

  test('between points is forgotten apart from what was refused by itself', () => {
    const { holes, isOutOfDate } = learnt(hole(1, 2), hole(4, 6, 2), hole(8, 8))
    holes.forgetGaps()
    expect(holes.known()).toEqual([hole(4, 6, 2)])
    expect(isOutOfDate()).toBe(true)
  })

  test('takes its turn: the one that was asked for goes to the end, and no plan is out of date for that', () => {
    const { holes, isOutOfDate } = learnt(hole(1, 2, 2), hole(4, 6, 2))
    const [first] = holes.known()
    if (first) holes.moveToEnd(first)
    expect(holes.known()).toEqual([hole(4, 6, 2), hole(1, 2, 2)])
    expect(isOutOfDate()).toBe(false)
  })

  test('does not come back by taking a turn after it was forgotten', () => {
    const { holes } = learnt(hole(1, 2, 2))
    const [first] = holes.known()
    holes.forget(hole(1, 2))
    if (first) holes.moveToEnd(first)
    expect(holes.known()).toEqual([])
    expect(first && holes.has(first)).toBe(false)
  })
})
