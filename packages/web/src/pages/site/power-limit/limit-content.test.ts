import type { LiveDevice } from '@plantroom/contract/control-state'
import { CHARGE_TROUBLES } from '@plantroom/contract/power-limit'
import { describe, expect, test } from 'vitest'
import { describeCeiling } from '../../../parts/describe-ceiling.ts'
import type { DeviceOverview } from '../overview.ts'
import { countedShares, describeMoved, describeStored, gaugesOf, isShared, limitedDevices } from './limit-content.ts'

type State = NonNullable<LiveDevice['powerLimit']>
const state = (about: Partial<State> = {}): State => ({
  ...{ meterId: 'm', state: 'limited', importKw: 60, exportKw: null, meterKw: 40, meanKw: 45, limits: [], moved: [] },
  ...about,
})
const settings = { meterId: 'm', meterKwPerUnit: 1, guaranteedKw: 4.2, loads: [] }
const datapoints = [{ id: 'a', name: 'Charge power', analyticsInterval: 0 }]
const connections = [{ id: 'c', name: 'C', settings: {}, datapoints }]
const seen = (powerLimit: object | undefined, live?: State) =>
  ({
    systems: [{ connections }, { connections: [], powerLimit }],
    view: { device: { powerLimit: live } },
  }) as unknown as DeviceOverview

test('a site has the limits of the controllers that have one commissioned, also before they report', () => {
  expect(limitedDevices([seen(undefined), seen(settings), seen(settings, state())])).toMatchObject([
    { settings, state: undefined },
    { settings, state: { importKw: 60 } },
  ])
})

describe('the gauge of a limit', () => {
  test('fills as the mean approaches the limit', () => {
    expect(gaugesOf(state())).toEqual([{ direction: 'import', limitKw: 60, meanKw: 45, percent: 75, isAbove: false }])
    expect(gaugesOf(state({ meanKw: 61 }))).toMatchObject([{ percent: 100, isAbove: true }])
  })

  test('counts power into the grid for a limit of that, and none for the other', () => {
    expect(gaugesOf(state({ meanKw: -5, exportKw: 10 }))).toMatchObject([
      { direction: 'import', meanKw: 0, percent: 0 },
      { direction: 'export', meanKw: 5, percent: 50 },
    ])
  })

  test('is empty before anything was read, and has no room at a limit of 0', () => {
    expect(gaugesOf(state({ meanKw: null }))).toMatchObject([{ meanKw: undefined, percent: 0, isAbove: false }])
    expect(gaugesOf(state({ importKw: 0 }))).toMatchObject([{ percent: 100, isAbove: true }])
    expect(gaugesOf(state({ importKw: 0, meanKw: 0 }))).toMatchObject([{ percent: 0, isAbove: false }])
    expect(gaugesOf(state({ importKw: null }))).toEqual([])
  })
})

test('a limit and what is moved for it are said in kW', () => {
  expect(describeCeiling({ direction: 'import', kw: 60.04 })).toBe('At most 60\u00A0kW from the grid')
  const moved = [
    { datapointId: 'a', atMostKw: -10 },
    { datapointId: 'gone', atLeastKw: 5 },
    { datapointId: 'a', atMostKw: 5, atLeastKw: -5 },
  ]
  const [limited] = limitedDevices([seen(settings, state({ moved }))])
  expect(limited && describeMoved(limited)).toEqual([
    'Charge power: at most -10\u00A0kW',
    'gone: at least 5\u00A0kW',
    'Charge power: -5\u00A0kW to 5\u00A0kW',
  ])
})

test('what a load stores is said with its energy, or why that is not known', () => {
  const known = { datapointId: 'a', chargePercent: 45, supplyKwh: 34.52, drawKwh: 54.5, trouble: null }
  const unknown = { datapointId: 'b', chargePercent: 6553.5, supplyKwh: null, drawKwh: null }
  const stored = [known, ...CHARGE_TROUBLES.map((trouble) => ({ ...unknown, trouble }))]
  const [limited] = limitedDevices([seen(settings, state({ stored }))])
  const lines = limited ? describeStored(limited) : []
  expect(lines[0]).toBe('Charge power: 45\u00A0% charged, can supply 34.5\u00A0kWh and take up 54.5\u00A0kWh')
  expect(lines[1]).toBe('b: its charge cannot be read, so limits are kept as if it were not known')
  expect(new Set(lines).size).toBe(CHARGE_TROUBLES.length + 1)
})

test('a limit over several controllers has shares, of which those that were replaced do not count', () => {
  const none = { accepted: 0, refused: 0, offline: 0, expired: 0, pending: 0, cancelled: 0 }
  expect(isShared({ counts: { ...none, accepted: 1 } })).toBe(false)
  expect(isShared({ counts: { ...none, accepted: 1, refused: 1 } })).toBe(true)
  const outcomes = [
    { isReplaced: true, kw: 45 },
    { isReplaced: false, kw: 30 },
  ]
  expect(countedShares(outcomes)).toEqual([{ isReplaced: false, kw: 30 }])
})
