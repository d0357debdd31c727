import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import {
  type CommissionedConnection,
  type CommissionedDatapoint,
  type CommissionedLoad,
  type CommissionedPeakShaving,
  type CommissionedSlot,
  CommissioningFile,
} from './file.ts'

const hasShape = new Ajv({ strict: true, allowUnionTypes: true }).compile(CommissioningFile)

const point = (about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  name: 'Power',
  accessType: 'READ_WRITE',
  data: { register: 1, type: 'int16' },
  ...about,
})

const connection = (about: Partial<CommissionedConnection> = {}): CommissionedConnection => ({
  name: 'Inverter',
  protocol: 'modbus-tcp',
  settings: { host: '10.0.0.5' },
  datapoints: [point()],
  ...about,
})

const file = (...connections: CommissionedConnection[]): CommissioningFile => ({
  technicalSystem: 'Roof',
  connections,
})

const load = (about: Partial<CommissionedLoad> = {}): CommissionedLoad => ({
  datapoint: 'Power',
  priority: 1,
  shedValue: 0,
  ...about,
})
const shaving = (about: Partial<CommissionedPeakShaving> = {}): CommissioningFile => ({
  ...file(connection()),
  peakShaving: { meter: 'Meter', loads: [load()], ...about },
})
const slot = (about: Partial<CommissionedSlot> = {}): CommissioningFile => ({
  ...file(connection()),
  schedules: [
    { name: 'Day', datapoint: 'Power', slots: [{ days: ['mon'], from: '07:00', to: '18:00', value: 1, ...about }] },
  ],
})
const failsafe = (about: unknown) => file(connection({ datapoints: [point({ failsafe: about as never })] }))

describe('a commissioning file', () => {
  test('with every field has the shape', () => {
    const everything: CommissioningFile = {
      ...file(
        connection({
          datapoints: [
            point({
              unit: 'kW',
              kind: 'setpoint',
              tags: ['battery.charge-power', 'A1:b/c'],
              writeInputType: 'number',
              writeInputData: { min: -10, max: 10 },
              analyticsInterval: 900,
              analyticsCalculateConsumption: true,
              broadcastInterval: 10,
              writeInterval: 60,
              scaler: { inputValue1: 0, outputValue1: 0, inputValue2: 10, outputValue2: 100 },
              failsafe: { reversion: 'Reverts after', seconds: 120 },
            }),
            point({ name: 'Valve', accessType: 'WRITE', failsafe: { heartbeat: 'Alive', seconds: 5 } }),
            point({ name: 'Meter', accessType: 'READ' }),
          ],
        }),
        connection({ name: 'Broker', protocol: 'mqtt' }),
      ),
      peakShaving: {
        meter: 'Inverter/Meter',
        limitKw: 100.5,
        hysteresisKw: 5,
        cycleSeconds: 60,
        loads: [load({ minOnSeconds: 60, minOffSeconds: 60 })],
      },
      schedules: [
        {
          name: 'Office hours',
          datapoint: 'Inverter/Power',
          slots: [{ days: ['mon', 'sun'], from: '07:00', to: '24:00', mode: 'offset', value: -1.5 }],
        },
      ],
    }
    expect(hasShape(everything)).toBe(true)
  })

  test.each<[string, CommissioningFile]>([
    ['connections', file()],
    ['a limit yet', shaving()],
    ['any schedule', { ...file(), schedules: [] }],
  ])('has the shape without %s', (_what, sparse) => {
    expect(hasShape(sparse)).toBe(true)
  })

  test('may have a limit for each hour of the day', () => {
    expect(hasShape(shaving({ hourlyLimitsKw: Array.from({ length: 24 }, (_, hour) => hour) }))).toBe(true)
  })
})

describe('the shape of a commissioning file', () => {
  test.each<[string, unknown]>([
    ['is an object', []],
    ['has a technical system', { connections: [] }],
    ['has connections', { technicalSystem: 'Roof' }],
    ['has no other field', { ...file(), version: 1 }],
    ['has a name that is not blank', { ...file(), technicalSystem: ' ' }],
    ['has no protocol that we do not speak', file(connection({ protocol: 'bacnet' as 'mqtt' }))],
    ['has whole seconds', file(connection({ datapoints: [point({ analyticsInterval: 1.5 })] }))],
    ['has no time before now', file(connection({ datapoints: [point({ writeInterval: -1 })] }))],
    [
      'has both ends of an envelope',
      file(connection({ datapoints: [point({ writeInputData: { min: 0 } as never })] })),
    ],
    ['has a unit that is not blank', file(connection({ datapoints: [point({ unit: ' ' })] }))],
    ['has no tag with a space', file(connection({ datapoints: [point({ tags: ['charge power'] })] }))],
    ['has no tag twice', file(connection({ datapoints: [point({ tags: ['a', 'a'] })] }))],
    ['has a releaseValue that is a number', file(connection({ datapoints: [point({ releaseValue: '5' as never })] }))],
    [
      'has a releaseValue that is finite',
      file(connection({ datapoints: [point({ releaseValue: Number.POSITIVE_INFINITY })] })),
    ],
    ['has no releaseValue of null', file(connection({ datapoints: [point({ releaseValue: null as never })] }))],
    [
      'has the address of each datapoint',
      file(connection({ datapoints: [{ name: 'A', accessType: 'READ' } as never] })),
    ],
    ['has peak shaving that is said, where it is named', { ...file(), peakShaving: null }],
    ['has a meter for peak shaving', { ...file(), peakShaving: { loads: [] } }],
    ['has a limit that is a number', shaving({ limitKw: '100' as never })],
    ['has no 23 limits for the hours of the day', shaving({ hourlyLimitsKw: Array(23).fill(1) })],
    ['has no 25 limits for the hours of the day', shaving({ hourlyLimitsKw: Array(25).fill(1) })],
    ['has no hysteresis below nothing', shaving({ hysteresisKw: -1 })],
    ['has no cycle below ten seconds', shaving({ cycleSeconds: 9 })],
    ['has no cycle beyond a minute', shaving({ cycleSeconds: 61 })],
    ['has a cycle of whole seconds', shaving({ cycleSeconds: 10.5 })],
    ['has a shed value for each load', shaving({ loads: [{ datapoint: 'Power', priority: 1 } as never] })],
    ['has a whole priority for each load', shaving({ loads: [load({ priority: 1.5 })] })],
    ['has no minimum time before now', shaving({ loads: [load({ minOffSeconds: -1 })] })],
    ['has no other field in a load', shaving({ loads: [{ ...load(), kw: 5 } as never] })],
    ['has no other field in peak shaving', shaving({ limit: 5 } as never)],
    ['has schedules in a list', { ...file(), schedules: { name: 'Day' } }],
    ['has a name for each schedule', { ...file(), schedules: [{ datapoint: 'Power', slots: [] } as never] }],
    ['has days that there are', slot({ days: ['Monday' as 'mon'] })],
    ['has days in a list', slot({ days: 'mon' as never })],
    ['has a mode that we know', slot({ mode: 'relative' as 'offset' })],
    ['has a value for each slot', slot({ value: undefined as never })],
    ['has times as text', slot({ from: 420 as never })],
    ['has no failsafe without its seconds', failsafe({ reversion: 'Register' })],
    ['has no failsafe of no time', failsafe({ reversion: 'Register', seconds: 0 })],
    ['has no failsafe of another kind', failsafe({ watchdog: 'Register', seconds: 5 })],
  ])('%s', (_rule, mistaken) => {
    expect(hasShape(mistaken)).toBe(false)
  })
})
