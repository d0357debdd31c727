import type { LiveDevice } from '@plantroom/contract/control-state'
import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { chooseRows, findRow, groupsOf, unknownConnections } from './rows.ts'
import { aDatapoint, aHold, aLiveDevice, aWindow } from './testing/examples.ts'

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
  overrides: [aWindow({ datapointId: 'charge' })],
})

describe('the rows of a device', () => {
  test('join what was commissioned with what is heard', () => {
    const row = findRow(groupsOf(systems, device), 'charge')
    expect(row?.value?.value).toBe(20)
    expect(row?.hold?.by).toBe('demand-response')
    expect(row?.overrides).toHaveLength(1)
  })

  test('are there before anything was heard', () => {
    const rows = groupsOf(systems, undefined)[0]?.rows
    expect(rows?.map(({ datapoint, value }) => [datapoint.id, value])).toEqual([
      ['charge', undefined],
      ['alive', undefined],
      ['soc', undefined],
    ])
  })

  test('can be overridden where they are written, but not where the controller needs them as a failsafe', () => {
    const rows = groupsOf(systems, device)[0]?.rows ?? []
    expect(rows.map(({ isWritable }) => isWritable)).toEqual([true, false, false])
  })

  test('of a connection that nobody knows are asked for again', () => {
    expect(unknownConnections(systems, device)).toEqual([])
    expect(unknownConnections([], device)).toEqual(['inverter'])
  })
})

describe('those that are shown', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => aDatapoint({ id: `p${index}`, name: `Point ${index}` }))
  const held = aLiveDevice({ holds: [aHold({ datapointId: 'p9999' })] })
  const groups = groupsOf([system(many)], held)
  const all = { search: '', heldOnly: false, limit: 200 }
  const idsOf = ({ groups }: ReturnType<typeof chooseRows>) =>
    groups.flatMap(({ rows }) => rows.map(({ datapoint }) => datapoint.id))

  test('are bounded, and none that is held is left out', () => {
    const chosen = chooseRows(groups, all)
    expect(idsOf(chosen)).toHaveLength(200)
    expect(idsOf(chosen)).toContain('p9999')
    expect([chosen.shown, chosen.leftOut]).toEqual([200, 9800])
  })

  test('are found by all the words, of the connection too', () => {
    expect(idsOf(chooseRows(groups, { ...all, search: ' INVERTER  9998 ' }))).toEqual(['p9998'])
    expect(chooseRows(groups, { ...all, search: 'no such' })).toEqual({ groups: [], shown: 0, leftOut: 0 })
  })

  test('may be only those that are held', () => {
    expect(idsOf(chooseRows(groups, { ...all, heldOnly: true }))).toEqual(['p9999'])
  })
})
