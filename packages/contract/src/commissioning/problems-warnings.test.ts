import { describe, expect, test } from 'vitest'
import type { CommissionedDatapoint, CommissioningFile } from './file.ts'
import { fileWarnings } from './problems.ts'

const point = (name: string, about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  name,
  accessType: 'WRITE',
  writeInputData: { min: 0, max: 10 },
  data: {},
  ...about,
})

const READ: CommissionedDatapoint = { name: 'Only read', accessType: 'READ', data: {} }
const NO_ENVELOPE = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }

const file = (...datapoints: CommissionedDatapoint[]): CommissioningFile => ({
  technicalSystem: 'Roof',
  connections: [
    { name: 'Meter', protocol: 'modbus-tcp', settings: {}, datapoints: [] },
    { name: 'Inverter', protocol: 'modbus-tcp', settings: {}, datapoints },
  ],
})

describe('a warning', () => {
  test('names every WRITE datapoint without a releaseValue', () => {
    const warned = fileWarnings(file(point('A'), point('B', { releaseValue: 5 }), point('C')))
    expect(warned.map(({ path }) => path)).toEqual(['connections[1].datapoints[0]', 'connections[1].datapoints[2]'])
    expect(warned[0]?.message).toBe(
      'WRITE datapoint without releaseValue: when an override ends, the controller writes back what it can read from the address, or else leaves the last setpoint',
    )
  })

  test('names every output that nothing bounds', () => {
    const output = { accessType: 'READ_WRITE', data: {} } as const
    const warned = fileWarnings(
      file(
        { ...output, name: 'A' },
        { ...output, name: 'B', writeInputData: NO_ENVELOPE },
        { ...output, name: 'C', limits: { max: 10 } },
        { ...output, name: 'D', limits: { min: 0, max: 10 } },
        READ,
      ),
    )
    expect(warned.map(({ path }) => path)).toEqual([0, 1, 2].map((at) => `connections[1].datapoints[${at}]`))
    expect(warned[0]?.message).toContain('writable datapoint without writeInputData')
  })

  test.each<[string, CommissionedDatapoint[]]>([
    ['a WRITE datapoint with a releaseValue, also of 0', [point('A', { releaseValue: 0 })]],
    ['a datapoint that can be read', [point('A', { accessType: 'READ_WRITE' }), READ]],
    [
      'a failsafe register',
      [point('Power', { accessType: 'READ_WRITE', failsafe: { heartbeat: 'Beat', seconds: 5 } }), point('Beat')],
    ],
  ])('is not given for %s', (_what, datapoints) => {
    expect(fileWarnings(file(...datapoints))).toEqual([])
  })
})
