import type { LiveDevice } from '@plantroom/contract/control-state'
import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { chooseRows, findRow, groupsOf } from './rows.ts'
import { aDatapoint, aHold, aLiveDevice, anOverride } from './testing/examples.ts'

const system = (datapoints: Datapoint[]): TechnicalSystem => ({
  id: 'system',
  name: 'Battery room',
  connections: [{ id: 'inverter', name: 'Inverter', protocol: 'modbus-tcp', settings: {}, datapoints }],
  failsafes: [{ datapointId: 'charge', kind: 'heartbeat', registerId: 'alive', seconds: 10 }],
})

const systems = [
  system([aDatapoint({ id: 'charge' }), aDatapoint({ id: 'alive' }), aDatapoint({ id: 'soc', accessType: 'READ' })]),
]

const device: LiveDevice = aLiveDevice({
  connections: [
    {
      connectionId: 'inverter',
      status: 1,
      error: null,
      timestamp: '2026-11-15T12:00:00.000Z',
      values: { charge: { value: 20, timestamp: '2026-11-15T12:00:00.000Z' } },
    },
  ],
  holds: [aHold({ datapointId: 'charge' })],
  overrides: [anOverride({ datapointId: 'charge' })],
})

describe('the rows of a controller', () => {
  test('join what is commissioned with the live state', () => {
    const row = findRow(groupsOf(systems, device), 'charge')
    expect(row?.value?.value).toBe(20)
    expect(row?.hold?.by).toBe('demand-response')
    expect(row?.overrides).toHaveLength(1)
  })

  test('exist before the first live state', () => {
    const rows = groupsOf(systems, undefined)[0]?.rows
    expect(rows?.map(({ datapoint, value }) => [datapoint.id, value])).toEqual([
      ['charge', undefined],
      ['alive', undefined],
      ['soc', undefined],
    ])
  })

  test('can be overridden when they are writable, except failsafe registers', () => {
    const rows = groupsOf(systems, device)[0]?.rows ?? []
    expect(rows.map(({ isWritable }) => isWritable)).toEqual([true, false, false])
  })
})

test('a hold of a schedule ends with its slot', () => {
  const days = ['sun' as const]
  const slots = [{ days, from: '07:00', to: '18:00', mode: 'absolute' as const, value: 1 }]
  const scheduled = [
    { ...system([aDatapoint({ id: 'charge' })]), schedules: [{ id: 's', name: 'Day', datapointId: 'charge', slots }] },
  ]
  const hold = aHold({ datapointId: 'charge', by: 'deviation', until: null })
  const live = aLiveDevice({ at: '2026-11-15T12:00:00.000Z', holds: [hold] })
  expect(findRow(groupsOf(scheduled, live), 'charge')?.hold?.until).toBe('2026-11-15T18:00:00.000Z')
})

describe('the shown rows', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => aDatapoint({ id: `p${index}`, name: `Point ${index}` }))
  const held = aLiveDevice({ holds: [aHold({ datapointId: 'p9999' })] })
  const groups = groupsOf([system(many)], held)
  const all = { search: '', heldOnly: false, limit: 200 }
  const idsOf = ({ groups }: ReturnType<typeof chooseRows>) =>
    groups.flatMap(({ rows }) => rows.map(({ datapoint }) => datapoint.id))

  test('are limited, but include every held datapoint', () => {
    const chosen = chooseRows(groups, all)
    expect(idsOf(chosen)).toHaveLength(200)
    expect(idsOf(chosen)).toContain('p9999')
    expect([chosen.shown, chosen.leftOut]).toEqual([200, 9800])
  })

  test('match all search words, including the connection', () => {
    expect(idsOf(chooseRows(groups, { ...all, search: ' INVERTER  9998 ' }))).toEqual(['p9998'])
    expect(chooseRows(groups, { ...all, search: 'no such' })).toEqual({ groups: [], shown: 0, leftOut: 0 })
  })

  test('can be limited to held datapoints', () => {
    expect(idsOf(chooseRows(groups, { ...all, heldOnly: true }))).toEqual(['p9999'])
  })
})
