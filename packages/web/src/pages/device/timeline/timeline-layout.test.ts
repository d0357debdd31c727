import { describe, expect, test } from 'vitest'
import type { LiveOverride } from '../rows.ts'
import { anOverride, minutes, NOW } from '../testing/examples.ts'
import { inReadingOrder, layoutTimeline } from './timeline-layout.ts'

const valueText = ({ value }: LiveOverride) => String(value)

const when = { now: NOW, timeZone: 'UTC' }

describe('the timeline', () => {
  test('covers the last hour and the next 24', () => {
    const { nowAt, rows } = layoutTimeline([anOverride({ from: minutes(0), to: minutes(150) })], when, valueText)
    expect(nowAt).toBe(4)
    expect(rows[0]?.bars[0]).toMatchObject({ left: 4, width: 10, lane: 0, isCutLeft: false, isCutRight: false })
  })

  test('cuts longer overrides and leaves out later ones', () => {
    const { rows } = layoutTimeline(
      [
        anOverride({ from: minutes(-600), to: minutes(60) }),
        anOverride({ id: 'long', datapointId: 'b', from: minutes(23 * 60), to: minutes(40 * 60) }),
        anOverride({ id: 'tomorrow', datapointId: 'c', from: minutes(25 * 60), to: minutes(26 * 60) }),
      ],
      when,
      valueText,
    )
    expect(rows.map(({ datapointId }) => datapointId)).toEqual(['charge', 'b'])
    expect(rows[0]?.bars[0]).toMatchObject({ left: 0, isCutLeft: true })
    const long = rows[1]?.bars[0]
    expect(long).toMatchObject({ isCutRight: true })
    expect((long?.left ?? 0) + (long?.width ?? 0)).toBeCloseTo(100)
  })

  test('stacks overrides of one datapoint only while they overlap', () => {
    const { rows } = layoutTimeline(
      [
        anOverride({ id: 'c', from: minutes(240), to: minutes(480) }),
        anOverride({ id: 'a', from: minutes(0), to: minutes(240) }),
        anOverride({ id: 'b', from: minutes(120), to: minutes(480) }),
      ],
      when,
      valueText,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.lanes).toBe(2)
    expect(rows[0]?.bars.map(({ override, lane }) => [override.id, lane])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 0],
    ])
  })

  test('writes a value beside a bar that is too short for it, where nothing covers it', () => {
    const { rows } = layoutTimeline(
      [
        anOverride({ id: 'short', value: 50, from: minutes(0), to: minutes(15) }),
        anOverride({ id: 'next', value: -12.5, from: minutes(20), to: minutes(120) }),
        anOverride({ id: 'edge', value: 50, from: minutes(23 * 60 + 40), to: minutes(24 * 60) }),
      ],
      when,
      valueText,
    )
    expect(rows[0]?.bars.map(({ override, label, lane }) => [override.id, label, lane])).toEqual([
      ['short', 'after', 0],
      ['next', 'after', 1],
      ['edge', 'before', 0],
    ])
  })

  test.each([
    ['UTC', '12:00'],
    ['Europe/Tallinn', '15:00'],
    ['Asia/Kolkata', '18:00'],
  ])('has full hours in %s', (timeZone, first) => {
    const labels = layoutTimeline([], { now: NOW, timeZone }, valueText).ticks.map(({ label }) => label)
    expect(labels[0]).toBe(first)
    expect(labels.every((label) => /^\d\d:00$/.test(label) && Number(label.slice(0, 2)) % 3 === 0)).toBe(true)
    expect(labels.length).toBeGreaterThanOrEqual(8)
  })
})

test('lists the active override first and the latest queued one last', () => {
  const overrides = [
    anOverride({ id: 'late', from: minutes(90), state: 'queued' }),
    anOverride({ id: 'soon', from: minutes(30), state: 'queued' }),
    anOverride({ id: 'superseded', state: 'superseded' }),
    anOverride({ id: 'active' }),
  ]
  expect(inReadingOrder(overrides).map(({ id }) => id)).toEqual(['active', 'superseded', 'soon', 'late'])
})
