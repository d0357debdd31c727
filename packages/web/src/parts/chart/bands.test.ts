import type { ReportEntry } from '@plantroom/contract/reports'
import { describe, expect, test } from 'vitest'
import { aHold, anOverride, minutes, NOW } from '../../pages/device/testing/examples.ts'
import { bandsOf, cutTo, joinRunning, plannedBands } from './bands.ts'

const MINUTE = 60_000
const span = { since: NOW - 120 * MINUTE, now: NOW }

let seq = 0
const entry = (at: number, phase: ReportEntry['phase'], changes: Partial<ReportEntry> = {}): ReportEntry => {
  seq += 1
  return {
    id: `e${seq}`,
    code: 4005,
    name: '',
    title: '',
    group: '',
    level: '',
    at: minutes(at),
    deviceId: 'device',
    technicalSystemId: 'system',
    connectionId: 'inverter',
    datapointId: 'charge',
    overrideId: 'w1',
    reqId: null,
    phase,
    reason: phase === 'released' ? 'ended' : 'window',
    valueBefore: 5,
    value: phase === 'released' ? 5 : 20,
    readBack: null,
    seq,
    placedBy: null,
    cancelledBy: null,
    ...changes,
  }
}
const times = (entries: ReportEntry[]) =>
  bandsOf(entries, span).map(({ from, to, by, value }) => [(from - NOW) / MINUTE, (to - NOW) / MINUTE, by, value])

describe('the bands of audit entries', () => {
  test('last from applied to released, in any order of entries', () => {
    const entries = [entry(-60, 'applied'), entry(-50, 'write-failed'), entry(-30, 'released')]
    expect(times(entries.toReversed())).toEqual([[-60, -30, 'demand-response', 20]])
    expect(bandsOf(entries, span)[0]?.isOpen).toBe(false)
  })

  test.each(['w1', null])('go on when a new controller takes over, with the id %s', (overrideId) => {
    const entries = [
      entry(-60, 'applied', { overrideId }),
      entry(-45, 'applied', { overrideId, reason: 'replaced' }),
      entry(-30, 'released', { overrideId }),
    ]
    expect(times(entries)).toEqual([
      [-60, -45, 'demand-response', 20],
      [-45, -30, 'demand-response', 20],
    ])
  })

  test.each([
    ['differs', 5],
    ['restored-by-hand', 5],
    ['abandoned', 5],
    ['abandoned', null],
  ] as const)('end with a release because of %s, at %s', (reason, value) => {
    for (const overrideId of ['w1', null]) {
      const entries = [
        entry(-60, 'applied', { overrideId }),
        entry(-40, 'write-failed', { overrideId, reason: 'ended' }),
        entry(-30, 'released', { overrideId, reason, value }),
      ]
      expect(times(entries)).toEqual([[-60, -30, 'demand-response', 20]])
    }
  })

  test('go on at another value when limits change what is written', () => {
    const entries = [entry(-60, 'applied'), entry(-40, 'limited', { value: 15 }), entry(-30, 'released')]
    expect(times(entries)).toEqual([
      [-60, -40, 'demand-response', 20],
      [-40, -30, 'demand-response', 15],
    ])
    expect(times([entry(-40, 'limited', { overrideId: 'unknown' })])).toEqual([])
  })

  test('continue until now without a release', () => {
    const [band] = bandsOf([entry(-10, 'applied')], span)
    expect(band).toMatchObject({ from: NOW - 10 * MINUTE, to: NOW, isOpen: true })
  })

  test('start before the period, at an unknown value, when there is only a release', () => {
    expect(times([entry(-30, 'released', { code: 4000, overrideId: null })])).toEqual([
      [-120, -30, 'peak-shaving', null],
    ])
  })

  test('leave out an override cancelled before its start', () => {
    expect(times([entry(-30, 'released', { reason: 'cancelled', value: null, valueBefore: null })])).toEqual([])
  })

  test('are told apart without ids, which a viewer does not see', () => {
    const hidden = { overrideId: null }
    const entries = [
      entry(-60, 'applied', { ...hidden, value: 20 }),
      entry(-50, 'applied', { ...hidden, value: 8 }),
      entry(-40, 'released', { ...hidden, value: 20 }),
      entry(-30, 'released', { ...hidden, value: 5 }),
    ]
    expect(times(entries)).toEqual([
      [-60, -50, 'demand-response', 20],
      [-50, -40, 'demand-response', 8],
      [-40, -30, 'demand-response', 20],
    ])
    const superseded = entry(-45, 'released', { ...hidden, reason: 'superseded', value: null })
    expect(times([...entries.slice(0, 2), superseded])).toEqual([
      [-60, -50, 'demand-response', 20],
      [-50, 0, 'demand-response', 8],
    ])
    const running = bandsOf(entries.slice(0, 1), span)
    const planned = plannedBands([anOverride({ id: null, to: minutes(30) })], undefined, NOW)
    expect(joinRunning([...running, ...planned])).toMatchObject([{ isOpen: true, until: NOW + 30 * MINUTE }])
  })

  test('alternate when overrides supersede each other', () => {
    const other = { overrideId: 'w2', value: 8 }
    expect(
      times([
        entry(-60, 'applied'),
        entry(-50, 'released', { reason: 'superseded' }),
        entry(-50, 'applied', other),
        entry(-40, 'released', { overrideId: 'w2' }),
        entry(-40, 'applied'),
        entry(-20, 'released'),
      ]),
    ).toEqual([
      [-60, -50, 'demand-response', 20],
      [-50, -40, 'demand-response', 8],
      [-40, -20, 'demand-response', 20],
    ])
  })

  test('are separate for each writer', () => {
    const shaving = { code: 4000, overrideId: null, value: 3 } as const
    const schedule = { code: 4001, overrideId: null, value: 85 } as const
    expect(
      times([
        entry(-60, 'applied', shaving),
        entry(-55, 'released', { ...shaving, reason: 'superseded' }),
        entry(-55, 'applied', schedule),
      ]),
    ).toEqual([
      [-60, -55, 'peak-shaving', 3],
      [-55, 0, 'deviation', 85],
    ])
  })

  test('split an override that is superseded for a while', () => {
    expect(
      times([
        entry(-60, 'applied'),
        entry(-50, 'applied', { overrideId: 'w2', value: 8 }),
        entry(-40, 'released', { overrideId: 'w2', value: 20 }),
        entry(-20, 'released'),
      ]),
    ).toEqual([
      [-60, -50, 'demand-response', 20],
      [-50, -40, 'demand-response', 8],
      [-40, -20, 'demand-response', 20],
    ])
  })

  test('end for good for an override that ends while superseded', () => {
    expect(
      times([
        entry(-60, 'applied'),
        entry(-50, 'applied', { overrideId: 'w2', value: 8 }),
        entry(-45, 'released', { reason: 'superseded', value: null }),
        entry(-40, 'released', { overrideId: 'w2' }),
        entry(-30, 'released', { overrideId: 'w3', reason: 'superseded', value: null, valueBefore: null }),
      ]),
    ).toEqual([
      [-60, -50, 'demand-response', 20],
      [-50, -40, 'demand-response', 8],
    ])
  })

  test('end at the next entry when a release is missing', () => {
    expect(times([entry(-60, 'applied'), entry(-30, 'applied', { value: 9 })])).toEqual([
      [-60, -30, 'demand-response', 20],
      [-30, 0, 'demand-response', 9],
    ])
  })
})

describe('planned bands', () => {
  test('cover the active, queued and superseded overrides, the last from when they become active', () => {
    const overrides = [
      anOverride(),
      anOverride({ id: 'queued', from: minutes(120), to: minutes(180), state: 'queued' }),
      anOverride({ id: 'superseded', to: minutes(90), state: 'superseded' }),
      anOverride({ id: 'never', to: minutes(30), state: 'superseded' }),
    ]
    const planned = plannedBands(overrides, aHold(), NOW)
    expect(planned.map(({ overrideId, from, to }) => [overrideId, (from - NOW) / MINUTE, (to - NOW) / MINUTE])).toEqual(
      [
        ['w1', 0, 60],
        ['queued', 120, 180],
        ['superseded', 60, 90],
      ],
    )
    expect(planned.every(({ isPlanned }) => isPlanned)).toBe(true)
  })
})

test('joins the past and planned part of an active override', () => {
  const bands = [...bandsOf([entry(-10, 'applied')], span), ...plannedBands([anOverride()], aHold(), NOW)]
  expect(bands).toHaveLength(2)
  expect(joinRunning(bands)).toMatchObject([{ from: NOW - 10 * MINUTE, isOpen: true, until: NOW + 60 * MINUTE }])
  const queued = plannedBands([anOverride({ id: 'w2', from: minutes(5), state: 'queued' })], undefined, NOW)
  expect(joinRunning(queued)).toEqual(queued)
})

test('cuts bands to the shown period', () => {
  const bands = bandsOf([entry(-60, 'applied'), entry(-30, 'released')], span)
  expect(cutTo(bands, NOW - 45 * MINUTE, NOW)).toMatchObject([{ from: NOW - 45 * MINUTE, to: NOW - 30 * MINUTE }])
  expect(cutTo(bands, NOW - 30 * MINUTE, NOW)).toEqual([])
})
