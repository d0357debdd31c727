import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { describeControl, edgeCommand, edgeSettings } from './describe-system.ts'

const datapoint = (id: string, name: string) => ({ id, name }) as Datapoint
const SYSTEM: TechnicalSystem = {
  id: 'sys',
  name: 'Battery room',
  connections: [
    {
      id: 'con',
      name: 'Inverter',
      protocol: 'mqtt',
      settings: {},
      datapoints: [datapoint('m', 'Grid power'), datapoint('a', 'Charge power'), datapoint('b', 'Supply air')],
    },
  ],
  peakShaving: {
    meterId: 'm',
    limitKw: 100,
    hysteresisKw: 0,
    cycleSeconds: 10,
    loads: [
      { datapointId: 'b', priority: 2, shedValue: 0, minOnSeconds: 0, minOffSeconds: 0 },
      { datapointId: 'a', priority: 1, shedValue: 0, minOnSeconds: 0, minOffSeconds: 0 },
    ],
  },
  schedules: [{ id: 's', name: 'Nights', datapointId: 'x', slots: [] }],
}

describe('the control of a system', () => {
  test('lists loads in the order in which they are shed', () => {
    expect(describeControl(SYSTEM)).toEqual([
      'Peak shaving keeps Grid power below 100 kW by shedding Charge power and Supply air',
      'Schedule “Nights” controls a datapoint that is no longer commissioned (0 slots)',
    ])
  })

  test('can have hourly limits, or none', () => {
    const shaving = SYSTEM.peakShaving
    if (!shaving) throw new Error('the system of this test has peak shaving')
    const peak = (limitKw: number[] | null) => describeControl({ ...SYSTEM, peakShaving: { ...shaving, limitKw } })[0]
    expect(peak([50, 80.5, 60])).toContain('below hourly limits of 50 to 80.5 kW')
    expect(peak(null)).toContain('has no limit')
    expect(describeControl({ ...SYSTEM, peakShaving: null, schedules: [] })).toEqual([])
  })
})

test('a power limit moves the loads that can be set to any power first', () => {
  const switching = { kind: 'switching', shedValue: 0, ratedKw: 9, minOnSeconds: 0, minOffSeconds: 0 } as const
  const powerLimit = {
    ...{ meterId: 'm', meterKwPerUnit: 1, guaranteedKw: 4.2 },
    loads: [
      { ...switching, datapointId: 'b', priority: 1 },
      { datapointId: 'a', kind: 'modulating', priority: 2, minKw: 0, maxKw: 5, kwPerUnit: 1 } as const,
    ],
  }
  const lines = (more = {}) =>
    describeControl({ ...SYSTEM, peakShaving: null, schedules: [], powerLimit: { ...powerLimit, ...more } })
  expect(lines()).toEqual(['Power limits of Grid power can move Charge power and Supply air'])
  const contact = { datapointId: 'x', limitKw: 60, closedValue: 1, debounceSeconds: 2, whenLost: 'closed' }
  expect(lines({ inputs: [contact] })[0]).toContain('a datapoint that is no longer commissioned can place one')
})

test('a controller starts with the broker, its id and its secret', () => {
  const device = { id: 'dev_1', secret: 's', brokerUrl: 'mqtts://p.example:8883' }
  expect(edgeSettings(device)).toEqual([
    ['MQTT_URL', 'mqtts://p.example:8883'],
    ['PLANTROOM_DEVICE_ID', 'dev_1'],
    ['PLANTROOM_DEVICE_SECRET', 's'],
  ])
  expect(edgeCommand(device)).toBe(
    "MQTT_URL='mqtts://p.example:8883' PLANTROOM_DEVICE_ID='dev_1' PLANTROOM_DEVICE_SECRET='s' plantroom edge",
  )
})
