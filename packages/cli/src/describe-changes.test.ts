import { type CommissioningFile, changesOf } from '@plantroom/contract/commissioning'
import { expect, test } from 'vitest'
import { describeChanges } from './describe-changes.ts'

const file = (register: number, value: number, password: string): CommissioningFile => ({
  technicalSystem: 'Room',
  connections: [
    {
      name: 'Inverter',
      protocol: 'obix',
      settings: { url: 'http://10.0.0.5', password },
      datapoints: [{ name: 'Power', accessType: 'READ_WRITE', data: { register } }],
    },
  ],
  schedules: [{ name: 'Day', datapoint: 'Power', slots: [{ days: ['mon'], from: '07:00', to: '18:00', value }] }],
  peakShaving: { meter: 'Power', limitKw: value, loads: [] },
  powerLimit: { meter: 'Power', guaranteedKw: 4, loads: [], inputs: [{ datapoint: 'Power', limitKw: value }] },
})

test('lists every change from and to, and no secret', () => {
  const changes = changesOf(file(1, 5, 'hunter2'), file(2, 6, 'hunter3'))
  expect(describeChanges('Room', changes)).toEqual([
    'Room would change:',
    '  changed: connection Inverter',
    '    settings.password: changed (secret)',
    '    changed: Inverter/Power',
    '      data.register: 1 -> 2',
    '  changed: schedule Day',
    '    slot: mon 07:00-18:00 5 -> mon 07:00-18:00 6',
    '  changed: peak shaving',
    '    limitKw: 5 -> 6',
    '  changed: power limit',
    '    changed: contact Inverter/Power',
    '      limitKw: 5 -> 6',
  ])
})
