import { describe, expect, test } from 'vitest'
import { minutes, NOW } from '../testing/holds.ts'
import { layoutTimeline, type TimelineItem } from './timeline-layout.ts'

const anItem = (changes: Partial<TimelineItem>): TimelineItem => ({
  key: 'one',
  row: 'charge',
  from: minutes(0),
  to: minutes(60),
  label: '5',
  look: 'active',
  ...changes,
})

const when = { now: NOW, timeZone: 'UTC' }

describe('the timeline', () => {
  test('covers as much of the past as asked', () => {
    const behindMs = 6 * 3_600_000
    const { nowAt, rows } = layoutTimeline([anItem({ from: minutes(-300), to: minutes(-240) })], { ...when, behindMs })
    expect(nowAt).toBe(20)
    expect(rows[0]?.bars[0]?.left).toBeCloseTo(100 / 30)
  })

  test('covers the last hour and the next 24', () => {
    const { nowAt, rows } = layoutTimeline([anItem({ from: minutes(0), to: minutes(150) })], when)
    expect(nowAt).toBe(4)
    expect(rows[0]?.bars[0]).toMatchObject({ left: 4, width: 10, lane: 0, isCutLeft: false, isCutRight: false })
  })

  test('cuts longer overrides and leaves out later ones', () => {
    const { rows } = layoutTimeline(
      [
        anItem({ from: minutes(-600), to: minutes(60) }),
        anItem({ key: 'long', row: 'b', from: minutes(23 * 60), to: minutes(40 * 60) }),
        anItem({ key: 'tomorrow', row: 'c', from: minutes(25 * 60), to: minutes(26 * 60) }),
      ],
      when,
    )
    expect(rows.map(({ row }) => row)).toEqual(['charge', 'b'])
    expect(rows[0]?.bars[0]).toMatchObject({ left: 0, isCutLeft: true })
    const long = rows[1]?.bars[0]
    expect(long).toMatchObject({ isCutRight: true })
    expect((long?.left ?? 0) + (long?.width ?? 0)).toBeCloseTo(100)
  })

  test('stacks overrides of one datapoint only while they overlap', () => {
    const { rows } = layoutTimeline(
      [
        anItem({ key: 'c', from: minutes(240), to: minutes(480) }),
        anItem({ key: 'a', from: minutes(0), to: minutes(240) }),
        anItem({ key: 'b', from: minutes(120), to: minutes(480) }),
      ],
      when,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.lanes).toBe(2)
    expect(rows[0]?.bars.map(({ item, lane }) => [item.key, lane])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 0],
    ])
  })

  test('writes a value beside a bar that is too short for it, where nothing covers it', () => {
    const { rows } = layoutTimeline(
      [
        anItem({ key: 'short', label: '50', from: minutes(0), to: minutes(15) }),
        anItem({ key: 'next', label: '-12.5', from: minutes(20), to: minutes(120) }),
        anItem({ key: 'edge', label: '50', from: minutes(23 * 60 + 40), to: minutes(24 * 60) }),
      ],
      when,
    )
    expect(rows[0]?.bars.map(({ item, label, lane }) => [item.key, label, lane])).toEqual([
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
    const labels = layoutTimeline([], { now: NOW, timeZone }).ticks.map(({ label }) => label)
    expect(labels[0]).toBe(first)
    expect(labels.every((label) => /^\d\d:00$/.test(label) && Number(label.slice(0, 2)) % 3 === 0)).toBe(true)
    expect(labels.length).toBeGreaterThanOrEqual(8)
  })
})
