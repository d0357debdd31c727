import { describe, expect, test } from 'vitest'
import { allFileProblems } from './check.ts'
import type { CommissionedDatapoint, CommissioningFile } from './file.ts'
import type { CommissionedLimitInput, CommissionedLimitLoad, CommissionedPowerLimit } from './power-limit-part.ts'
import { fileWarnings } from './problems.ts'

const point = (name: string, about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  name,
  accessType: 'READ_WRITE',
  data: {},
  ...about,
})

const CONNECTION = {
  name: 'Room',
  protocol: 'modbus-tcp' as const,
  settings: {},
  datapoints: [
    point('Grid', { accessType: 'READ', unit: 'W' }),
    point('Battery', { unit: 'kW', limits: { min: -40, max: 50 } }),
    point('Wallbox', { unit: 'W', limits: { min: 0, max: 22_000 } }),
    point('Boiler'),
    point('Room temperature', { unit: '°C' }),
    point('K1', { accessType: 'READ' }),
    point('Valve', { accessType: 'WRITE', releaseValue: 0, failsafe: { heartbeat: 'Beat', seconds: 5 } }),
    point('Beat', { accessType: 'WRITE' }),
    point('Charge', { accessType: 'READ', unit: '%' }),
    point('Wallbox state', { accessType: 'READ' }),
  ],
}

const battery: CommissionedLimitLoad = { datapoint: 'Battery', kind: 'modulating', priority: 1, minKw: -40, maxKw: 50 }
const boiler: CommissionedLimitLoad = { datapoint: 'Boiler', kind: 'switching', priority: 2, shedValue: 0, ratedKw: 9 }
const k1: CommissionedLimitInput = { datapoint: 'K1', limitKw: 60 }

const limited = (about: Partial<CommissionedPowerLimit> = {}): CommissioningFile => ({
  technicalSystem: 'Room',
  connections: [CONNECTION],
  powerLimit: { meter: 'Grid', guaranteedKw: 4.2, loads: [battery, boiler], ...about },
})
const load = (about: object) => limited({ loads: [{ ...battery, ...about }] })
const storing = (about: object = {}) =>
  load({ storage: { charge: 'Charge', capacityKwh: 100, lowestPercent: 10, ...about } })
const boilerLoad = (about: object) => limited({ loads: [{ ...boiler, ...about }] })
const input = (about: object, settings: object = {}) => limited({ inputs: [{ ...k1, ...about }], ...settings })

describe('a power limit', () => {
  test.each<[string, CommissioningFile]>([
    ['has loads of both kinds', limited()],
    ['has a fallback of one direction', limited({ fallback: { exportKw: 0 } })],
    ['has a contact', input({ closedValue: 0, debounceSeconds: 0, whenLost: 'open' })],
    ['has a contact with a percentage', input({ limitKw: undefined, limitPercent: 60 }, { connectionKw: 100 })],
    [
      'moves a load of peak shaving',
      {
        ...limited(),
        peakShaving: { meter: 'Grid', loads: [{ datapoint: 'Boiler', priority: 1, shedValue: 0 }] },
      },
    ],
    ['has a load that stores energy', storing({ highestPercent: 95 })],
    ['has a charge without a unit, which is then in percent', storing({ charge: 'Wallbox state' })],
    ['has a meter without a unit, which is then in kW', limited({ meter: 'K1' })],
  ])('%s', (_what, right) => {
    expect(allFileProblems(right)).toEqual([])
  })

  test.each<[string, CommissioningFile, string, string]>([
    ['a meter that there is not', limited({ meter: 'Gird' }), 'meter', 'this file has no datapoint "Gird"'],
    ['a meter that cannot be read', limited({ meter: 'Valve' }), 'meter', '"Valve" cannot be read'],
    [
      'a meter that is no power',
      limited({ meter: 'Room temperature' }),
      'meter',
      '"Room temperature" is in °C, which is no power: choose a datapoint in W, kW or MW, or correct its unit',
    ],
    ['nothing to move', limited({ loads: [] }), 'loads', 'needs a load to shed'],
    [
      'a load twice',
      limited({ loads: [battery, { ...battery, datapoint: 'Room/Battery' }] }),
      'loads[1].datapoint',
      '"Room/Battery" is already the load of powerLimit.loads[0]',
    ],
    ['a load that cannot be written', load({ datapoint: 'K1' }), 'loads[0].datapoint', '"K1" cannot be written'],
    [
      'a load that is the meter',
      limited({ meter: 'Battery', loads: [battery] }),
      'loads[0].datapoint',
      '"Battery" is the meter',
    ],
    [
      'a modulating load that is no power',
      load({ datapoint: 'Room temperature' }),
      'loads[0].datapoint',
      '"Room temperature" is in °C, which is no power: choose a datapoint in W, kW or MW, or correct its unit',
    ],
    [
      'a charge that there is not',
      storing({ charge: 'Chrage' }),
      'loads[0].storage.charge',
      'this file has no datapoint "Chrage"',
    ],
    ['a charge that cannot be read', storing({ charge: 'Valve' }), 'loads[0].storage.charge', '"Valve" cannot be read'],
    [
      'a charge that is no percentage',
      storing({ charge: 'Room temperature' }),
      'loads[0].storage.charge',
      '"Room temperature" is in °C: choose a datapoint in %, or correct its unit',
    ],
    [
      'a charge that is the load',
      storing({ charge: 'Battery' }),
      'loads[0].storage.charge',
      '"Battery" is the meter or a load: choose the datapoint that reads the charge',
    ],
    [
      'a charge of two loads',
      limited({
        loads: ['Battery', 'Wallbox'].map((datapoint, priority) => ({
          ...{ ...battery, datapoint, priority },
          storage: { charge: 'Charge', capacityKwh: 100, lowestPercent: 10 },
        })),
      }),
      'loads[1].storage.charge',
      '"Charge" is already the charge of powerLimit.loads[0]: give one of them the whole capacity',
    ],
    ['a storage without capacity', storing({ capacityKwh: 0 }), 'loads[0].storage.capacityKwh', 'must be above 0'],
    [
      'a storage of which nothing may be used',
      storing({ lowestPercent: 100 }),
      'loads[0].storage.lowestPercent',
      '100 is not below highestPercent 100: nothing could be used',
    ],
    [
      'a boiler that stores',
      boilerLoad({ storage: { charge: 'Charge', capacityKwh: 1, lowestPercent: 0 } }),
      'loads[0].storage',
      'is only for modulating loads: remove it',
    ],
    ['a range upside down', load({ minKw: 51 }), 'loads[0].minKw', '51 is above maxKw 50'],
    [
      'a modulating load without its range',
      load({ maxKw: undefined }),
      'loads[0].maxKw',
      'is missing: a modulating load needs it',
    ],
    [
      'a modulating load that is shed',
      load({ shedValue: 0 }),
      'loads[0].shedValue',
      'is only for switching loads: remove it',
    ],
    [
      'a switching load with a range',
      boilerLoad({ minKw: 0 }),
      'loads[0].minKw',
      'is only for modulating loads: remove it',
    ],
    [
      'a switching load without its power',
      boilerLoad({ ratedKw: undefined }),
      'loads[0].ratedKw',
      'is missing: a switching load needs it',
    ],
    [
      'a switching load that draws nothing',
      boilerLoad({ ratedKw: 0 }),
      'loads[0].ratedKw',
      'must be above 0: it is what the load draws while it runs',
    ],
    ['a kind that we do not know', load({ kind: 'dimmed' }), 'loads[0].kind', 'must be one of: modulating, switching'],
    ['a negative guarantee', limited({ guaranteedKw: -1 }), 'guaranteedKw', 'must be at least 0'],
    ['a negative fallback', limited({ fallback: { importKw: -1 } }), 'fallback.importKw', 'must be at least 0'],
    [
      'a fallback of nothing',
      limited({ fallback: {} }),
      'fallback',
      'needs importKw or exportKw: write one, or remove fallback',
    ],
    ['a connection of no power', limited({ connectionKw: 0 }), 'connectionKw', 'must be above 0'],
    [
      'a guarantee above the connection',
      limited({ guaranteedKw: 40, connectionKw: 30 }),
      'guaranteedKw',
      '40 is above connectionKw 30',
    ],
    ['a contact without a limit', input({ limitKw: undefined }), 'inputs[0]', 'needs limitKw or limitPercent'],
    [
      'a percentage of nothing',
      input({ limitKw: undefined, limitPercent: 60 }),
      'inputs[0].limitPercent',
      'needs powerLimit.connectionKw, which it is a percentage of; or write limitKw',
    ],
    [
      'a contact with two limits',
      input({ limitPercent: 60 }, { connectionKw: 100 }),
      'inputs[0].limitPercent',
      'conflicts with limitKw: keep one of them',
    ],
    [
      'a contact that there is not',
      input({ datapoint: 'K9' }),
      'inputs[0].datapoint',
      'this file has no datapoint "K9"',
    ],
    ['a contact that cannot be read', input({ datapoint: 'Valve' }), 'inputs[0].datapoint', '"Valve" cannot be read'],
    [
      'a contact that is a load',
      input({ datapoint: 'Boiler' }),
      'inputs[0].datapoint',
      '"Boiler" is the load of powerLimit.loads[1]: a contact must not be moved',
    ],
    ['a contact that is the meter', input({ datapoint: 'Grid' }), 'inputs[0].datapoint', '"Grid" is the meter'],
    [
      'a contact twice',
      limited({ inputs: [k1, { ...k1, limitKw: 30 }] }),
      'inputs[1].datapoint',
      '"K1" is already the contact of powerLimit.inputs[0]',
    ],
  ])('does not have %s', (_what, mistaken, path, message) => {
    expect(allFileProblems(mistaken)).toEqual([{ path: `powerLimit.${path}`, message }])
  })

  test('does not move a failsafe register', () => {
    const beat = { datapoint: 'Beat', kind: 'switching', priority: 1, shedValue: 0, ratedKw: 1 } as const
    expect(allFileProblems(limited({ loads: [beat] }))).toEqual([
      {
        path: 'connections[0].datapoints[6].failsafe.heartbeat',
        message: '"Beat" is the load of powerLimit.loads[0]',
      },
    ])
  })

  test('with a malformed part hides no mistake elsewhere', () => {
    const { connections } = limited()
    const document = { technicalSystem: 'Room', connections, powerLimit: 1, peakShaving: { meter: 'Gird', loads: [] } }
    expect(allFileProblems(document).map(({ path }) => path)).toEqual([
      'powerLimit',
      'peakShaving.meter',
      'peakShaving.loads',
    ])
  })
})

describe('a power limit is worth a second look', () => {
  const warned = (file: CommissioningFile) => fileWarnings(file).filter(({ path }) => path.startsWith('powerLimit'))

  test.each<[string, CommissioningFile, string, string]>([
    [
      'when its fallback is below what the site is guaranteed',
      limited({ fallback: { importKw: 3, exportKw: 0 } }),
      'fallback.importKw',
      '3 kW is below guaranteedKw: the controller limits to 4.2 kW',
    ],
    [
      'when a contact is',
      input({ limitKw: undefined, limitPercent: 2 }, { connectionKw: 100 }),
      'inputs[0].limitPercent',
      '2 kW is below guaranteedKw: the controller limits to 4.2 kW',
    ],
    [
      'when the loads cannot bring the site down to it',
      input({ limitKw: 60 }, { connectionKw: 200 }),
      'inputs[0].limitKw',
      '60 kW may be out of reach: the loads can take 99 kW off the 200 kW of the connection',
    ],
    [
      'when the limits of a datapoint do not allow the range of its load',
      load({ minKw: -50 }),
      'loads[0].minKw',
      '-50 is below limits.min -40 of "Battery": the controller writes -40',
    ],
    [
      'when they do not in the unit of the datapoint',
      load({ datapoint: 'Wallbox', minKw: 0, maxKw: 50 }),
      'loads[0].maxKw',
      '50000 is above limits.max 22000 of "Wallbox": the controller writes 22000',
    ],
  ])('%s', (_what, file, path, message) => {
    expect(warned(file)).toEqual([{ path: `powerLimit.${path}`, message }])
  })

  test('not when it is within reach', () => {
    expect(warned(input({}, { connectionKw: 150, fallback: { importKw: 51, exportKw: 0 } }))).toEqual([])
  })
})
