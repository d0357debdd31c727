import { describe, expect, test } from 'vitest'
import type { CommissionedDatapoint, CommissioningFile } from './file.ts'
import { fileWarnings } from './problems.ts'

const point = (name: string, about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  name,
  accessType: 'WRITE',
  data: {},
  ...about,
})

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

  test.each<[string, CommissionedDatapoint[]]>([
    ['a WRITE datapoint with a releaseValue, also of 0', [point('A', { releaseValue: 0 })]],
    ['a datapoint that can be read', [point('A', { accessType: 'READ_WRITE' }), point('B', { accessType: 'READ' })]],
    [
      'a failsafe register',
      [point('Power', { accessType: 'READ_WRITE', failsafe: { heartbeat: 'Beat', seconds: 5 } }), point('Beat')],
    ],
  ])('is not given for %s', (_what, datapoints) => {
    expect(fileWarnings(file(...datapoints))).toEqual([])
  })
})
