import type { DispatchRequest } from '@plantroom/contract/fleet'
import { UUID } from '@plantroom/contract/patterns'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { describe, expect, test } from 'vitest'
import type { SelectedDatapoint } from './datapoint-store.ts'
import { isOutsideEnvelope, planTargets, requestHash, targetReqId, windowOf } from './plan.ts'

const NOW = Date.UTC(2030, 0, 1)
const at = (seconds: number) => formatTimestamp(NOW + seconds * 1000)
const request = (about: Partial<DispatchRequest> = {}): DispatchRequest => ({
  ...{ idempotencyKey: 'k', select: { tags: ['t'] }, value: 5, to: at(900), deadline: at(60) },
  ...about,
})
const selected = (count: number): SelectedDatapoint[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `dp_${index}`, name: 'Power', deviceId: `dev_${index}`, siteId: 'site', tags: ['t'] },
    ...{ unit: 'kW', min: 0, max: 10 },
  }))

const refusalOf = (field: string, message: string | RegExp) =>
  expect.objectContaining({ kind: 'invalid', field, message: expect.stringMatching(message) })

describe('the window of a dispatch', () => {
  test('starts now when its start is missing or past', () => {
    const window = { from: NOW, to: NOW + 900_000, deadline: NOW + 60_000 }
    expect(windowOf(request(), NOW)).toEqual(window)
    expect(windowOf(request({ from: at(-3600) }), NOW)).toEqual(window)
    expect(windowOf(request({ from: at(10) }), NOW)).toEqual({ ...window, from: NOW + 10_000 })
  })

  test.each<[string, Partial<DispatchRequest>, string, string]>([
    ['ends in the past', { to: at(0), deadline: at(-1) }, 'to', 'to is in the past'],
    ['ends before it starts', { from: at(900) }, 'to', 'to must be after from'],
    ['is longer than a day', { to: at(86_400.001) }, 'to', 'longer than 24 hours'],
    ['has a deadline in the past', { deadline: at(0) }, 'deadline', 'deadline is in the past'],
    ['has a deadline after its end', { deadline: at(901) }, 'deadline', 'deadline must not be after to'],
    [
      'has a deadline beyond a day',
      { from: at(80_000), to: at(90_000), deadline: at(86_400.001) },
      'deadline',
      'more than 24 hours ahead',
    ],
    [
      'leaves the last datapoint no time',
      { staggerSeconds: 900 },
      'staggerSeconds',
      'staggerSeconds leaves the last datapoint no time',
    ],
    ['has a start without a zone', { from: '2030-01-01T00:00:00' }, 'from', 'from must be a time with a zone'],
    ['has an end without a zone', { to: '2030-01-01T00:00:00' }, 'to', 'to must be a time with a zone'],
    ['has a deadline without a zone', { deadline: '2030-01-01' }, 'deadline', 'deadline must be a time with a zone'],
  ])('that %s is refused', (_why, about, field, message) => {
    expect(() => windowOf(request(about), NOW)).toThrow(refusalOf(field, message))
  })

  test('may last a day, with a deadline at its end, and leave the last datapoint a second', () => {
    const day = { from: NOW, to: NOW + 86_400_000, deadline: NOW + 86_400_000 }
    const about = { to: at(86_400), deadline: at(86_400), staggerSeconds: 86_399 }
    expect(windowOf(request(about), NOW)).toEqual(day)
  })
})

describe('the targets of a dispatch', () => {
  const planned = (about: Partial<DispatchRequest>, all: SelectedDatapoint[]) =>
    planTargets(request(about), windowOf(request(about), NOW), all)

  test('have the value of the dispatch, or their share of its total', () => {
    expect(planned({ value: 0 }, selected(2)).map(({ value }) => value)).toEqual([0, 0])
    const [small, large] = selected(2) as [SelectedDatapoint, SelectedDatapoint]
    const split = planned({ value: undefined as never, totalKw: 3 }, [small, { ...large, max: 20 }])
    expect(split.map(({ value }) => value)).toEqual([1, 2])
  })

  test('start evenly over the stagger, and end together', () => {
    const starts = (count: number, staggerSeconds: number) =>
      planned({ staggerSeconds }, selected(count)).map(({ from }) => from - NOW)
    expect(starts(4, 60)).toEqual([0, 15_000, 30_000, 45_000])
    expect(starts(3, 1)).toEqual([0, 333, 666])
    expect(starts(2, 0)).toEqual([0, 0])
  })

  test.each<[string, Partial<DispatchRequest>, SelectedDatapoint[], string, RegExp]>([
    ['neither a value nor a total', { value: undefined as never }, selected(1), 'value', /either value.*or totalKw/],
    ['a value and a total', { totalKw: 5 }, selected(1), 'value', /either value.*or totalKw/],
    ['no datapoint', {}, [], 'select', /no writable datapoint that you may control matches/],
    ['more than 10,000 datapoints', {}, selected(10_001), 'select', /more than 10000 datapoints/],
    [
      'several datapoints of one controller, and no tag',
      { select: { siteIds: ['site'] } },
      selected(2).map((one) => ({ ...one, deviceId: 'dev' })),
      'select',
      /device dev has several writable datapoints: select them by tags or datapointIds/,
    ],
  ])('are refused with %s', (_what, about, all, field, message) => {
    expect(() => planned(about, all)).toThrow(refusalOf(field, message))
  })
})

test('a value is outside the envelope beyond either end', () => {
  const [one] = selected(1) as [SelectedDatapoint]
  expect([-1, 0, 10, 10.1].map((value) => isOutsideEnvelope(one, value))).toEqual([true, false, false, true])
  expect(isOutsideEnvelope({ ...one, min: null, max: null }, 1e9)).toBe(false)
})

describe('a repeated request', () => {
  test('is recognised however it is written', () => {
    const hash = requestHash(request({ select: { tags: ['a', 'b'] }, from: at(0) }))
    expect(requestHash(request({ select: { tags: ['b', 'a', 'a'] }, from: '2030-01-01T01:00:00+01:00' }))).toBe(hash)
    expect(requestHash(request({ select: { tags: ['a', 'b'] }, from: at(0), staggerSeconds: 0 }))).toBe(hash)
    expect(requestHash(request({ select: { tags: ['a', 'b'] }, from: at(0), idempotencyKey: 'other' }))).toBe(hash)
  })

  test.each<Partial<DispatchRequest>>([
    { value: 6 },
    { value: undefined as never, totalKw: 5 },
    { select: { siteIds: ['t'] } },
    { select: { tags: ['t'], deviceIds: ['d'] } },
    { from: at(0) },
    { to: at(901) },
    { deadline: at(61) },
    { staggerSeconds: 1 },
    { reason: 'other' },
  ])('is another one with %j', (about) => {
    expect(requestHash(request(about))).not.toBe(requestHash(request()))
  })
})

test('the reqId of a target is a UUID that depends on dispatch and datapoint alone', () => {
  const reqId = targetReqId('dsp_1', 'dp_1')
  expect(reqId).toMatch(new RegExp(UUID))
  expect(reqId).toMatch(/^.{14}8.{4}[89ab]/)
  // The same in every version: a dispatch that is under way during an update must not be placed twice.
  expect(reqId).toBe('69f35881-6cde-8add-8792-56a1ccdf8b30')
  expect(targetReqId('dsp_1', 'dp_2')).toBe('4269cc58-03d9-856d-acc6-5575c6955979')
  expect(new Set([reqId, targetReqId('dsp_1', 'dp_2'), targetReqId('dsp_2', 'dp_1')]).size).toBe(3)
})
