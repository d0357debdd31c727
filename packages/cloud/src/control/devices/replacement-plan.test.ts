import type { ControlState } from '@plantroom/contract/control-state'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { type KnownOfDevice, OLDEST_STATE_MS, planReplacement } from './replacement-plan.ts'

const NOW = Date.parse('2030-01-01T12:00:00.000Z')
const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString()

const override = (id: string, from: number, to: number, about: object = {}) => ({
  ...{ id, datapointId: 'power', value: 20, from: at(from), to: at(to), reqId: `req_${id}`, placedBy: 'key_1' },
  state: from > 0 ? ('queued' as const) : ('active' as const),
  ...about,
})
const hold = (about: object = {}) => ({
  ...{
    datapointId: 'power',
    state: 'holding' as const,
    by: 'demand-response' as const,
    value: 20,
    overrideId: 'a',
    until: at(1),
  },
  next: { by: 'plain' as const, value: 10 },
  beneath: { by: 'plain' as const, value: 10 },
  ...{ trouble: null, troubleReason: null },
  ...about,
})

function known(state: Partial<ControlState>, about: Partial<KnownOfDevice> & { ageMs?: number } = {}): KnownOfDevice {
  const { ageMs = 60_000, ...rest } = about
  const document = { at: at(0), clockSuspect: false, connections: [], holds: [], overrides: [], ...state }
  return {
    systems: [aSystem('sys', [aConnection({ datapoints: [aDatapoint({ id: 'power', name: 'Charge power' })] })])],
    state: { document, receivedAt: NOW - ageMs },
    ...{ released: new Set(), cancelled: new Set(), cancelledCallers: new Set(), accepted: [] },
    ...rest,
  }
}

const plan = (state: Partial<ControlState>, about?: Parameters<typeof known>[1]) =>
  planReplacement(known(state, about), NOW)

describe('the plan of a replacement', () => {
  test('takes over active and queued overrides in the order of acceptance, with the exact value from before', () => {
    const overrides = [override('a', -1, 1), override('q', 2, 3)]
    const placed = { placedByName: 'Grid company', reason: 'alarm' }
    const notes = {
      plain: { power: { digits: '7' } },
      overrides: { a: { seq: 9, ...placed }, q: { seq: 4, ...placed } },
    }
    const { control, summary: shown } = plan({ overrides, holds: [hold()], notes })
    expect(control.overrides).toMatchObject([
      { id: 'q', seq: 1, applied: false, from: at(2), to: at(3), ...placed },
      { id: 'a', seq: 2, applied: true, from: at(-1), to: at(1), ...placed },
    ])
    expect(control.holds).toMatchObject([{ datapointId: 'power', overrideId: 'a', plain: { digits: '7' } }])
    expect(shown.overrides.map(({ id, datapoint }) => [id, datapoint])).toEqual([
      ['q', 'Charge power'],
      ['a', 'Charge power'],
    ])
    expect([shown.leftOut, shown.releases, shown.untouched]).toEqual([[], [], []])
  })

  test('of a controller that does not say the order puts what is active after what it supersedes', () => {
    const overrides = [override('a', -1, 1), override('q', 2, 3), override('s', -2, 2, { state: 'superseded' })]
    expect(plan({ overrides }).control.overrides.map(({ id }) => id)).toEqual(['s', 'a', 'q'])
  })

  const over: [string, Parameters<typeof known>[1], string][] = [
    ['has ended', {}, 'ended'],
    ['was cancelled', { cancelled: new Set(['a']) }, 'cancelled'],
    ['is of a revoked key', { cancelledCallers: new Set(['key_1']) }, 'cancelled'],
  ]
  test.each(over)('lets the controller close and set back an override that %s', (what, about, reason) => {
    const overrides = [override('a', -2, what === 'has ended' ? -1 : 5)]
    const { control, summary } = plan({ overrides, holds: [hold()] }, about)
    expect(summary).toMatchObject({ overrides: [], leftOut: [{ id: 'a', reason }], releases: [{ value: 10 }] })
    expect(Date.parse(control.overrides[0]?.to ?? '')).toBeLessThanOrEqual(NOW)
  })

  test('never starts a queued override that was cancelled', () => {
    const { control } = plan({ overrides: [override('q', 2, 3)] }, { cancelled: new Set(['q']) })
    expect(control.overrides).toMatchObject([{ id: 'q', from: at(0), to: at(0) }])
  })

  test('says nothing about an override that the old controller has released', () => {
    const { control, summary } = plan(
      { overrides: [override('a', -1, 1)], holds: [hold()] },
      { released: new Set(['a']) },
    )
    expect([control.overrides, control.holds, summary.releases]).toEqual([[], [], []])
    expect(summary.leftOut).toMatchObject([{ id: 'a', reason: 'ended' }])
  })

  test('leaves equipment alone when the state is so old that a person may have set it since', () => {
    const old = { ageMs: OLDEST_STATE_MS + 1 }
    const ended = plan({ overrides: [override('a', -30, -29)], holds: [hold()] }, old)
    expect([ended.control.holds, ended.summary.untouched]).toEqual([
      [],
      [{ datapointId: 'power', datapoint: 'Charge power' }],
    ])
    const queued = plan({ overrides: [override('q', 2, 3)] }, old)
    expect(queued.summary.overrides.map(({ id }) => id)).toEqual(['q'])
  })

  test('drops what is on a datapoint that is not commissioned, and counts what it does not know', () => {
    const overrides = [override('a', -1, 1, { datapointId: 'gone' })]
    const { control, summary } = plan(
      { overrides, holds: [hold({ datapointId: 'gone' })] },
      { accepted: ['a', 'b', 'c'] },
    )
    expect([control.overrides, control.holds]).toEqual([[], []])
    expect(summary).toMatchObject({ leftOut: [{ id: 'a', reason: 'not-commissioned' }], unknownOverrides: 2 })
  })

  test('of a controller that never said anything has what was commissioned', () => {
    const { control, summary } = planReplacement({ ...known({}), state: undefined }, NOW)
    expect(summary.technicalSystems).toMatchObject([{ id: 'sys', connections: 1, datapoints: 1 }])
    expect(control).toEqual({ at: at(0), overrides: [], holds: [] })
  })
})
