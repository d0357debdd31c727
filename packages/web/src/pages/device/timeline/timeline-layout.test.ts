import { describe, expect, test } from 'vitest'
import { aWindow, minutes, NOW } from '../testing/examples.ts'
import { inReadingOrder, layoutTimeline } from './timeline-layout.ts'

const when = { now: NOW, timeZone: 'UTC' }

describe('the timeline', () => {
  test('is one hour of before and 24 of what is to come', () => {
    const { nowAt, rows } = layoutTimeline([aWindow({ from: minutes(0), to: minutes(150) })], when)
    expect(nowAt).toBe(4)
    expect(rows[0]?.bars[0]).toMatchObject({ left: 4, width: 10, lane: 0, isCutLeft: false, isCutRight: false })
  })

  test('cuts what is longer, and leaves out what is later', () => {
    const { rows } = layoutTimeline(
      [
        aWindow({ from: minutes(-600), to: minutes(60) }),
        aWindow({ id: 'long', datapointId: 'b', from: minutes(23 * 60), to: minutes(40 * 60) }),
        aWindow({ id: 'tomorrow', datapointId: 'c', from: minutes(25 * 60), to: minutes(26 * 60) }),
      ],
      when,
    )
    expect(rows.map(({ datapointId }) => datapointId)).toEqual(['charge', 'b'])
    expect(rows[0]?.bars[0]).toMatchObject({ left: 0, isCutLeft: true })
    const long = rows[1]?.bars[0]
    expect(long).toMatchObject({ isCutRight: true })
    expect((long?.left ?? 0) + (long?.width ?? 0)).toBeCloseTo(100)
  })

  test('puts overrides of one datapoint below each other only while they overlap', () => {
    const { rows } = layoutTimeline(
      [
        aWindow({ id: 'c', from: minutes(60), to: minutes(90) }),
        aWindow({ id: 'a', from: minutes(0), to: minutes(60) }),
        aWindow({ id: 'b', from: minutes(30), to: minutes(90) }),
      ],
      when,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.lanes).toBe(2)
    expect(rows[0]?.bars.map(({ window, lane }) => [window.id, lane])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 0],
    ])
  })

  test.each([
    ['UTC', '12:00'],
    ['Europe/Tallinn', '15:00'],
    ['Asia/Kolkata', '18:00'],
  ])('has its hours by the clocks of %s', (timeZone, first) => {
    const labels = layoutTimeline([], { now: NOW, timeZone }).ticks.map(({ label }) => label)
    expect(labels[0]).toBe(first)
    expect(labels.every((label) => /^\d\d:00$/.test(label) && Number(label.slice(0, 2)) % 3 === 0)).toBe(true)
    expect(labels.length).toBeGreaterThanOrEqual(8)
  })
})

test('the list begins with what rules and ends with what is latest', () => {
  const overrides = [
    aWindow({ id: 'late', from: minutes(90), state: 'queued' }),
    aWindow({ id: 'soon', from: minutes(30), state: 'queued' }),
    aWindow({ id: 'superseded', state: 'superseded' }),
    aWindow({ id: 'active' }),
  ]
  expect(inReadingOrder(overrides).map(({ id }) => id)).toEqual(['active', 'superseded', 'soon', 'late'])
})
