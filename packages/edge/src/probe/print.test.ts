import { describe, expect, test } from 'vitest'
import { formatFindings } from './print.ts'
import type { ProbedConnection, ProbedDatapoint } from './probe-connection.ts'

const datapoint = (name: string, about: Partial<ProbedDatapoint> = {}): ProbedDatapoint => ({
  ...{ name, accessType: 'READ', raw: 50, value: 5, note: null, error: null },
  ...about,
})
const inverter: ProbedConnection = {
  ...{ name: 'Inverter', protocol: 'modbus-tcp', endpoint: '10.0.0.5:502', status: 1, error: null },
  datapoints: [
    datapoint('Power', { value: -12.5, raw: -125 }),
    datapoint('Charge limit'),
    datapoint('Mode', { value: null, raw: null, error: 'exception 2: illegal data address' }),
    datapoint('Reset', { accessType: 'WRITE', value: null, raw: null }),
  ],
}

describe('the printed findings', () => {
  test('show each datapoint with its value and raw value, or its problem', () => {
    expect(formatFindings('Battery room', [inverter])).toBe(
      `Battery room
Inverter (modbus-tcp, 10.0.0.5:502): connected
  Power         -12.5  raw -125
  Charge limit      5  raw 50
  Mode          cannot be read: exception 2: illegal data address
  Reset         not tested: it can only be written
2 of 3 datapoints can be read`,
    )
  })

  test('have one line for a connection that is down', () => {
    const down = { ...inverter, status: -1 as const, error: '10.0.0.5:502 refused the connection' }
    const datapoints = down.datapoints.map((each) => ({
      ...each,
      error: each.accessType === 'WRITE' ? null : down.error,
    }))
    expect(formatFindings('Battery room', [{ ...down, datapoints }])).toBe(
      `Battery room
Inverter (modbus-tcp, 10.0.0.5:502): cannot be used: 10.0.0.5:502 refused the connection
0 of 3 datapoints can be read`,
    )
  })

  test('show what was read before a connection was lost', () => {
    const error = 'unit 1 did not answer within 1000 ms (retried for 15 s)'
    const datapoints = [datapoint('Power'), datapoint('Mode', { value: null, raw: null, error })]
    expect(formatFindings('Battery room', [{ ...inverter, status: -1, error, datapoints }])).toBe(
      `Battery room
Inverter (modbus-tcp, 10.0.0.5:502): cannot be used: ${error}
  Power  5  raw 50
  Mode   cannot be read: ${error}
1 of 2 datapoints can be read`,
    )
  })

  test('show what a datapoint holds instead of a number', () => {
    const sensor = datapoint('Outside', { value: null, raw: null, note: 'the register holds NaN' })
    expect(formatFindings('Roof', [{ ...inverter, datapoints: [sensor] }])).toBe(
      `Roof
Inverter (modbus-tcp, 10.0.0.5:502): connected
  Outside  holds no number: the register holds NaN
1 of 1 datapoints can be read`,
    )
  })

  test('are short for a system without connections', () => {
    expect(formatFindings('Battery room', [])).toBe('Battery room\n0 of 0 datapoints can be read')
  })

  test('contain no control characters, whatever the equipment sends', () => {
    const error = '\x1b[2J\r\n\x07all is well\x9b31m'
    const text = formatFindings('Room', [{ ...inverter, datapoints: [datapoint('X', { error })] }])
    expect(text.split('\n')).toHaveLength(4)
    expect(text).toContain('cannot be read: \\u001b[2J\\r\\n\\u0007all is well\\u009b31m')
  })
})
