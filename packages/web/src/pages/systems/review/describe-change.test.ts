import { describe, expect, test } from 'vitest'
import {
  describeDays,
  describeField,
  describeHeld,
  describeSlotChange,
  describeWho,
  unitsOf,
} from './describe-change.ts'

describe('a changed field', () => {
  test.each([
    [{ field: 'data.register', from: 100, to: 200 }, 'address, register: 100 → 200'],
    [{ field: 'limits.max', from: undefined, to: 40 }, 'limits, max: not set → 40\u00A0kW'],
    [{ field: 'limits.maxStartsPerDay', from: 3, to: 4 }, 'limits, maxStartsPerDay: 3 → 4'],
    [{ field: 'analyticsInterval', from: 0, to: 60 }, 'archiving: 0\u00A0s → 60\u00A0s'],
    [{ field: 'limitKw', from: 90, to: undefined }, 'limit: 90\u00A0kW → not set'],
    [{ field: 'hourlyLimitsKw[7]', from: 80, to: 60 }, 'limit from 07:00 to 08:00: 80\u00A0kW → 60\u00A0kW'],
    [{ field: 'scaler.outputValue2', from: 1000, to: 100 }, 'scaler, outputValue2: 1000 → 100'],
    [{ field: 'settings.port', from: 1502, to: 15020 }, 'settings, port: 1502 → 15020'],
    [{ field: 'tags', from: undefined, to: ['a', 'b'] }, 'tags: not set → a, b'],
    [{ field: 'analyticsCalculateConsumption', from: false, to: true }, 'consumption: no → yes'],
    [{ field: 'settings.password', from: 'hunter2', to: 'hunter3' }, 'settings, password: changed (secret)'],
    [{ field: 'settings.url', from: 'mqtt://a:b@c', to: 'mqtt://c' }, 'settings, url: changed (secret)'],
    [{ field: 'settings.url', from: 'mqtt://b', to: 'mqtt://c' }, 'settings, url: mqtt://b → mqtt://c'],
  ])('%j reads "%s"', (change, text) => {
    expect(describeField(change, 'kW')).toBe(text)
  })
})

describe('a changed slot', () => {
  const slot = {
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    from: '07:00',
    to: '18:00',
    mode: 'absolute',
    value: 30,
  } as const

  test('reads with its days, times, value and unit', () => {
    expect(describeSlotChange({ from: slot, to: { ...slot, value: 35 } }, '%')).toBe(
      'Mon to Fri, 07:00 to 18:00: 30\u00A0% → Mon to Fri, 07:00 to 18:00: 35\u00A0%',
    )
    expect(describeSlotChange({ from: undefined, to: { ...slot, mode: 'offset', value: 2 } }, '°C')).toBe(
      'New: Mon to Fri, 07:00 to 18:00: +2\u00A0°C added to the plain value',
    )
    expect(describeSlotChange({ from: { ...slot, mode: 'offset', value: -2 }, to: undefined }, undefined)).toBe(
      'Removed: Mon to Fri, 07:00 to 18:00: -2 added to the plain value',
    )
  })

  test.each([
    [['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], 'Every day'],
    [['sat', 'sun'], 'Sat and Sun'],
    [['wed', 'mon', 'fri'], 'Mon, Wed, and Fri'],
    [['sat', 'fri', 'sun'], 'Fri to Sun'],
    [[], 'not set'],
  ] as const)('on %j is on %s', (days, text) => {
    expect(describeDays(days)).toBe(text)
  })
})

test('units come from the first file that has one', () => {
  const file = (unit?: string) => ({
    technicalSystem: 'Room',
    connections: [
      {
        name: 'Inverter',
        protocol: 'mqtt' as const,
        settings: {},
        datapoints: [{ name: 'Power', accessType: 'READ' as const, data: {}, ...(unit && { unit }) }],
      },
    ],
  })
  expect(unitsOf(file('kW'), file('W'))('Inverter/Power')).toBe('kW')
  expect(unitsOf(file(), file('W'))('Power')).toBe('W')
  expect(unitsOf(file(), null)('Power')).toBeUndefined()
})

test.each([
  [{ kind: 'person' as const, id: 'usr_1', name: 'ann@example.com' }, 'ann@example.com'],
  [{ kind: 'operator' as const, id: null, name: null }, 'The operator'],
  [null, 'Someone'],
])('%j is named %s', (by, name) => {
  expect(describeWho(by)).toBe(name)
})

describe('a held datapoint that a file moves', () => {
  const held = { connection: 'Inverter', datapoint: 'Power', fields: ['settings.host', 'data.type'] }

  test.each([
    ['keeps what differs', { ...held, fixed: [] }, {}, /must stay the same: settings\.host and data\.type/],
    [
      'keeps what gives a value another meaning',
      { ...held, fixed: ['data.type'] },
      { sameEquipment: true },
      /: data\.type/,
    ],
    ['stays held', { ...held, fixed: [] }, { sameEquipment: true }, /stays held over its new settings\.host/],
    ['keeps everything on an old controller', held, { sameEquipment: true }, /settings\.host and data\.type/],
    ['cannot be removed', { ...held, fields: ['datapoint'], fixed: ['datapoint'] }, {}, /cannot be removed/],
  ])('%s', (_what, one, file, sentence) => {
    expect(describeHeld(one, file)).toMatch(sentence)
  })
})
