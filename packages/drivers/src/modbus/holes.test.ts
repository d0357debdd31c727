import { describe, expect, test } from 'vitest'
import { createHoles, type KnownHole } from './holes.ts'

/** Makes a gap between points if there is no exception. */
const hole = (start: number, end: number, exception?: number): KnownHole => ({
  ...{ table: 'holding', start, end, cause: { exception: exception ?? 2 }, isGap: exception === undefined, askedAt: 0 },
})

/** Remembers these holes, and checks whether later changes outdate plans. */
function learnt(...known: KnownHole[]) {
  const holes = createHoles()
  for (const each of known) holes.remember(each)
  const before = holes.revision()
  return { holes, isOutOfDate: () => holes.revision() !== before }
}

describe('a refused range', () => {
  test('is remembered once, and outdates plans only when it is new', () => {
    const { holes, isOutOfDate } = learnt(hole(1, 2, 2))
    holes.remember(hole(1, 2, 2))
    holes.remember(hole(1, 2, 3))
    expect(isOutOfDate()).toBe(false)
    holes.remember({ ...hole(1, 2, 2), table: 'input' })
    expect(isOutOfDate()).toBe(true)
    expect(holes.known()).toEqual([hole(1, 2, 3), { ...hole(1, 2, 2), table: 'input' }])
  })

  test('is forgotten when exactly that range could be read', () => {
    const { holes, isOutOfDate } = learnt(hole(1, 2, 2), hole(4, 6, 2))
    holes.forget(hole(1, 3))
    holes.forget({ ...hole(1, 2), table: 'input' })
    expect(isOutOfDate()).toBe(false)
    holes.forget(hole(4, 6))
    expect(isOutOfDate()).toBe(true)
    expect(holes.known()).toEqual([hole(1, 2, 2)])
  })

  test('between points with an illegal address is forgotten separately from other holes', () => {
    const silentGap: KnownHole = { ...hole(10, 10), cause: { silence: 'no answer' } }
    const { holes, isOutOfDate } = learnt(hole(1, 2), hole(4, 6, 2), hole(8, 8), silentGap)
    holes.forgetIllegalGaps()
    expect(holes.known()).toEqual([hole(4, 6, 2), silentGap])
    expect(isOutOfDate()).toBe(true)
  })

  test('changes from a gap to a hole when its point cannot be read either, but not back', () => {
    const { holes, isOutOfDate } = learnt(hole(1, 2))
    holes.remember(hole(1, 2, 4))
    expect(isOutOfDate()).toBe(true)
    holes.remember(hole(1, 2))
    expect(holes.known()).toEqual([hole(1, 2, 4)])
  })

  test('moves to the end of the queue after a retry, which outdates no plan', () => {
    const { holes, isOutOfDate } = learnt(hole(1, 2, 2), hole(4, 6, 2))
    const [first] = holes.known()
    if (first) holes.asked(first, 700)
    expect(holes.known()).toEqual([hole(4, 6, 2), { ...hole(1, 2, 2), askedAt: 700 }])
    expect(isOutOfDate()).toBe(false)
  })

  test('does not reappear when it is retried after it was forgotten', () => {
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

  test('is kept once, and outdates plans when it appears and disappears', () => {
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
