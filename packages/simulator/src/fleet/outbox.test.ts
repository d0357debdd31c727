import { describe, expect, test } from 'vitest'
import { batchOf, confirm, createOutbox, reconnected, takeDue, waiting } from './outbox.ts'

const NOW = Date.parse('2026-03-01T12:00:30Z')
const MINUTE = 60_000
const LAST = Date.parse('2026-03-01T12:00:00Z')
const rhythm = { intervalMs: MINUTE, batch: 2, delayMs: 0 }
const at = (now: number, monotonic = now - NOW) => ({ now, monotonic })

describe('the outbox of an imitated controller', () => {
  test('sends the oldest intervals first, at whole intervals and as many as fit', () => {
    const outbox = createOutbox(NOW, rhythm, 3)
    expect(waiting(outbox, rhythm, NOW)).toBe(3)
    expect(takeDue(outbox, rhythm, at(NOW))).toMatchObject({ from: LAST - 2 * MINUTE, to: LAST - MINUTE, again: false })
    expect(takeDue(outbox, rhythm, at(NOW))).toBeUndefined()
    expect(confirm(outbox, rhythm, LAST - MINUTE)).toBe(2)
    expect(takeDue(outbox, rhythm, at(NOW))).toMatchObject({ from: LAST, to: LAST, again: false })
    expect(confirm(outbox, rhythm, LAST)).toBe(1)
    expect(takeDue(outbox, rhythm, at(NOW))).toBeUndefined()
    expect(takeDue(outbox, rhythm, at(LAST + MINUTE))).toMatchObject({ from: LAST + MINUTE })
  })

  test('repeats the same batch until it is confirmed, although more is due', () => {
    const outbox = createOutbox(NOW, rhythm, 1)
    expect(takeDue(outbox, rhythm, at(NOW))).toMatchObject({ from: LAST, to: LAST })
    const later = NOW + 5 * MINUTE
    expect(takeDue(outbox, rhythm, { now: later, monotonic: 9_999 })).toBeUndefined()
    expect(takeDue(outbox, rhythm, { now: later, monotonic: 10_000 })).toMatchObject({
      from: LAST,
      to: LAST,
      again: true,
    })
    expect(takeDue(outbox, rhythm, { now: later, monotonic: 10_001 })).toBeUndefined()
  })

  test('repeats it at once on a new connection, where the first may be lost', () => {
    const outbox = createOutbox(NOW, rhythm, 1)
    takeDue(outbox, rhythm, at(NOW))
    reconnected(outbox)
    expect(takeDue(outbox, rhythm, at(NOW))).toMatchObject({ from: LAST, again: true })
  })

  test('ignores a confirmation of another batch', () => {
    const outbox = createOutbox(NOW, rhythm, 1)
    takeDue(outbox, rhythm, at(NOW))
    expect(confirm(outbox, rhythm, LAST - MINUTE)).toBe(0)
    expect(confirm(outbox, rhythm, LAST)).toBe(1)
    expect(confirm(outbox, rhythm, LAST)).toBe(0)
  })

  test('delays the sending, and never the times of the values', () => {
    const delayed = { ...rhythm, delayMs: 40_000 }
    const outbox = createOutbox(NOW, delayed, 1)
    expect(takeDue(outbox, delayed, at(NOW))).toBeUndefined()
    expect(takeDue(outbox, delayed, at(LAST + 40_000))).toMatchObject({ from: LAST, to: LAST })
  })

  test('makes the same values of an interval each time', () => {
    const points = { index: 3, ids: ['dp_1', 'dp_2'] }
    const range = { from: LAST - MINUTE, to: LAST, intervalMs: MINUTE }
    const batch = batchOf(points, range)
    expect(batch).toEqual(batchOf(points, range))
    expect(batch.upTo).toBe(LAST)
    expect(batch.measurements.map(({ datapointId, at: time }) => [datapointId, time])).toEqual([
      ['dp_1', LAST - MINUTE],
      ['dp_2', LAST - MINUTE],
      ['dp_1', LAST],
      ['dp_2', LAST],
    ])
  })
})
