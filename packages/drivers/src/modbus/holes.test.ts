import { describe, expect, test } from 'vitest'
import { createHoles, type KnownHole } from './holes.ts'

/** Without an exception it is a gap between points. */
const hole = (start: number, end: number, exception?: number): KnownHole => ({
  ...{ table: 'holding', start, end, cause: { exception: exception ?? 2 }, isGap: exception === undefined, askedAt: 0 },
})

/** Holes that know these, and a check whether later changes make plans out of date. */
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
    expect(holes.known()).toEqual([hole(1, 2, 3), { ...hole(1, 2, 2), table: 'input' }])
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

  test('between points because of an illegal address is forgotten apart from other holes', () => {
    const silentGap: KnownHole = { ...hole(10, 10), cause: { silence: 'no answer' } }
    const { holes, isOutOfDate } = learnt(hole(1, 2), hole(4, 6, 2), hole(8, 8), silentGap)
    holes.forgetIllegalGaps()
    expect(holes.known()).toEqual([hole(4, 6, 2), silentGap])
    expect(isOutOfDate()).toBe(true)
  })

  test('as a gap becomes a hole of a point when the point there cannot be read either, and not the other way', () => {
    const { holes, isOutOfDate } = learnt(hole(1, 2))
    holes.remember(hole(1, 2, 4))
    expect(isOutOfDate()).toBe(true)
    holes.remember(hole(1, 2))
    expect(holes.known()).toEqual([hole(1, 2, 4)])
  })

  test('takes its turn: the one that was asked for goes to the end, and no plan is out of date for that', () => {
    const { holes, isOutOfDate } = learnt(hole(1, 2, 2), hole(4, 6, 2))
    const [first] = holes.known()
    if (first) holes.asked(first, 700)
    expect(holes.known()).toEqual([hole(4, 6, 2), { ...hole(1, 2, 2), askedAt: 700 }])
    expect(isOutOfDate()).toBe(false)
  })

  test('does not come back by taking a turn after it was forgotten', () => {
    const { holes } = learnt(hole(1, 2, 2))
    const [first] = holes.known()
    holes.forget(hole(1, 2))
    if (first) holes.asked(first, 0)
    expect(holes.known()).toEqual([])
    expect(first && holes.has(first)).toBe(false)
  })
})

describe('a suspect', () => {
  const suspect = (start: number, end: number) => ({ table: 'holding' as const, start, end, cause: { exception: 4 } })

  test('is kept once, and makes plans out of date when it comes and goes', () => {
    const { holes, isOutOfDate } = learnt()
    holes.suspect(suspect(1, 9))
    holes.suspect(suspect(1, 9))
    expect(holes.suspects()).toEqual([suspect(1, 9)])
    expect(isOutOfDate()).toBe(true)
    const before = holes.revision()
    holes.forget(hole(1, 8))
    expect(holes.revision()).toBe(before)
    holes.forget(hole(1, 9))
    expect(holes.suspects()).toEqual([])
    expect(holes.revision()).not.toBe(before)
  })
})
