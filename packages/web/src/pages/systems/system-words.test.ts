import type { Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { controlWords, edgeSettings, fileNameOf } from './system-words.ts'

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

describe('what drives the datapoints of a system', () => {
  test('is told by name, loads in the order in which they are shed', () => {
    expect(controlWords(SYSTEM)).toEqual([
      'Peak shaving keeps Grid power below 100 kW, and sheds Charge power, Supply air',
      'Schedule “Nights” drives a datapoint that is gone (0 slots)',
    ])
  })

  test('may have limits by the hour, or none', () => {
    const shaving = SYSTEM.peakShaving
    if (!shaving) throw new Error('the system of this test has peak shaving')
    const words = (limitKw: number[] | null) => controlWords({ ...SYSTEM, peakShaving: { ...shaving, limitKw } })[0]
    expect(words([50, 80.5, 60])).toContain('below limits by the hour, 50 to 80.5 kW')
    expect(words(null)).toContain('without a limit')
    expect(controlWords({ ...SYSTEM, peakShaving: null, schedules: [] })).toEqual([])
  })
})

test('a file is named after its system', () => {
  expect(['Battery room', 'Õhk/ÕHK 2', '机房'].map(fileNameOf)).toEqual([
    'battery-room.json',
    'ohk-ohk-2.json',
    'technical-system.json',
  ])
})

test('an edge is started with the broker, its id and its secret', () => {
  expect(edgeSettings({ id: 'dev_1', secret: 's' }, { protocol: 'https:', hostname: 'p.example' })).toEqual([
    ['MQTT_URL', 'mqtts://p.example:1883'],
    ['PLANTROOM_DEVICE_ID', 'dev_1'],
    ['PLANTROOM_DEVICE_SECRET', 's'],
  ])
})
