import { describe, expect, test } from 'vitest'
import { failsafeOf } from './failsafes.ts'
import type { CommissionedDatapoint, CommissioningFile } from './file.ts'
import { fileProblems } from './problems.ts'

type Failsafe = CommissionedDatapoint['failsafe']

const point = (
  name: string,
  failsafe?: Failsafe,
  about: Partial<CommissionedDatapoint> = {},
): CommissionedDatapoint => ({
  name,
  accessType: 'READ_WRITE',
  ...(failsafe && { failsafe }),
  data: {},
  ...about,
})

/** An inverter with the datapoints named, beside a meter that has a register too. */
const file = (...datapoints: CommissionedDatapoint[]): CommissioningFile => ({
  technicalSystem: 'Roof',
  connections: [
    { name: 'Inverter', protocol: 'modbus-tcp', settings: {}, datapoints },
    { name: 'Meter', protocol: 'modbus-tcp', settings: {}, datapoints: [point('Elsewhere')] },
  ],
})

const reverts = { reversion: 'Register', seconds: 60 }
const slots = [{ days: ['mon'], from: '07:00', to: '18:00', value: 1 }] as const

describe('a failsafe', () => {
  test.each<[string, CommissioningFile]>([
    ['is a reversion register', file(point('Power', reverts), point('Register'))],
    ['is a heartbeat register', file(point('Register'), point('Power', { heartbeat: 'Register', seconds: 5 }))],
    ['serves what can only be written', file(point('Power', reverts, { accessType: 'WRITE' }), point('Register'))],
    [
      'is a register that can only be written',
      file(point('Power', reverts), point('Register', undefined, { accessType: 'WRITE' })),
    ],
    [
      'serves a datapoint that is a load and driven by a schedule',
      {
        ...file(point('Power', reverts), point('Register')),
        peakShaving: { meter: 'Elsewhere', loads: [{ datapoint: 'Power', priority: 1, shedValue: 0 }] },
        schedules: [{ name: 'Day', datapoint: 'Power', slots }],
      },
    ],
  ])('%s', (_what, right) => {
    expect(fileProblems(right)).toEqual([])
  })

  test('is a reversion or a heartbeat', () => {
    expect(failsafeOf({ reversion: 'A', seconds: 1 })).toEqual({ kind: 'reversion', register: 'A' })
    expect(failsafeOf({ heartbeat: 'B', seconds: 1 })).toEqual({ kind: 'heartbeat', register: 'B' })
    expect(failsafeOf({ seconds: 1 })).toBeUndefined()
    expect(failsafeOf({ reversion: 'A', heartbeat: 'B', seconds: 1 })).toBeUndefined()
  })
})

describe('a mistake in a failsafe', () => {
  const [AT, REGISTER] = ['connections[0].datapoints[0].failsafe', 'connections[0].datapoints[0].failsafe.reversion']

  test.each<[string, CommissioningFile, string, string]>([
    [
      'that it serves what is only read',
      file(point('Power', reverts, { accessType: 'READ' }), point('Register')),
      AT,
      'is only for datapoints that can be written',
    ],
    ['that it is neither kind', file(point('Power', { seconds: 60 })), AT, 'needs either a reversion or a heartbeat'],
    [
      'that it is both kinds',
      file(point('Power', { ...reverts, heartbeat: 'Register' }), point('Register')),
      AT,
      'needs either a reversion or a heartbeat',
    ],
    ['an unknown register', file(point('Power', reverts)), REGISTER, 'this connection has no datapoint "Register"'],
    [
      'a register of another connection',
      file(point('Power', { reversion: 'Elsewhere', seconds: 60 })),
      REGISTER,
      'this connection has no datapoint "Elsewhere"',
    ],
    ['that it is its own register', file(point('Register', reverts)), REGISTER, '"Register" is the datapoint itself'],
    [
      'a register that cannot be written',
      file(point('Power', reverts), point('Register', undefined, { accessType: 'READ' })),
      REGISTER,
      '"Register" cannot be written',
    ],
    [
      'a register with a failsafe of its own',
      file(point('Power', reverts), point('Register', { heartbeat: 'Beat', seconds: 5 }), point('Beat')),
      REGISTER,
      '"Register" has a failsafe itself',
    ],
    [
      'a register of two datapoints',
      file(point('Power', reverts), point('Register'), point('Current', { heartbeat: 'Register', seconds: 5 })),
      'connections[0].datapoints[2].failsafe.heartbeat',
      '"Register" is already the failsafe of connections[0].datapoints[0]',
    ],
    [
      'a register that is a load',
      {
        ...file(point('Power', reverts), point('Register')),
        peakShaving: { meter: 'Elsewhere', loads: [{ datapoint: 'Inverter/Register', priority: 1, shedValue: 0 }] },
      },
      REGISTER,
      '"Register" is the load of peakShaving.loads[0]',
    ],
    [
      'a register that a schedule drives',
      {
        ...file(point('Power', reverts), point('Register')),
        schedules: [{ name: 'Day', datapoint: 'Register', slots }],
      },
      REGISTER,
      '"Register" is driven by schedules[0]',
    ],
  ])('is %s', (_what, mistaken, path, message) => {
    expect(fileProblems(mistaken)).toEqual([{ path, message }])
  })

  test('is reported with all others', () => {
    const mistaken: CommissioningFile = {
      ...file(point('A', { heartbeat: 'B', seconds: 5 }), point('B', { heartbeat: 'A', seconds: 5 })),
      schedules: [{ name: 'Day', datapoint: 'B', slots }],
    }
    expect(fileProblems(mistaken)).toEqual([
      { path: 'connections[0].datapoints[0].failsafe.heartbeat', message: '"B" has a failsafe itself' },
      { path: 'connections[0].datapoints[0].failsafe.heartbeat', message: '"B" is driven by schedules[0]' },
      { path: 'connections[0].datapoints[1].failsafe.heartbeat', message: '"A" has a failsafe itself' },
    ])
  })

  test('is not caused by registers of the same name on another connection', () => {
    const twins = file(point('Power', reverts), point('Register'))
    const second = { ...twins.connections[0], name: 'Second inverter' } as (typeof twins.connections)[number]
    expect(fileProblems({ ...twins, connections: [...twins.connections, second] })).toEqual([])
  })
})
