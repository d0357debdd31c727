import { describe, expect, test } from 'vitest'
import type { ConnectionFigures } from '../connections/connection-state.ts'
import { metricsText } from './text.ts'

const inverter: ConnectionFigures = {
  ...{ id: 'con_1', name: 'Inverter', protocol: 'modbus-tcp', status: 1 },
  ...{ reads: 100, readErrors: 5, writes: 7, timeouts: 3, exceptions: 2, reconnects: 1 },
}
const everything = {
  ...{ overridesPlaced: 12, datapointsHeld: 2, unsentReports: 4, unsentMeasurements: 500_000, journalFlushes: 99 },
  ...{ diskWritten: 4096, clockSuspect: true, connections: [inverter] },
}

describe('the metrics of a device', () => {
  test('are in the Prometheus text format', () => {
    expect(metricsText(everything)).toBe(
      `# HELP plantroom_edge_windows_held Demand response overrides that have not ended
# TYPE plantroom_edge_windows_held gauge
plantroom_edge_windows_held 12
# HELP plantroom_edge_datapoints_held Datapoints held or not yet restored
# TYPE plantroom_edge_datapoints_held gauge
plantroom_edge_datapoints_held 2
# HELP plantroom_edge_unsent_reports Audit entries not confirmed by the cloud
# TYPE plantroom_edge_unsent_reports gauge
plantroom_edge_unsent_reports 4
# HELP plantroom_edge_unsent_measurements Measurements not confirmed by the cloud
# TYPE plantroom_edge_unsent_measurements gauge
plantroom_edge_unsent_measurements 500000
# HELP plantroom_edge_clock_suspect 1 while the controller does not know the time
# TYPE plantroom_edge_clock_suspect gauge
plantroom_edge_clock_suspect 1
# HELP plantroom_edge_journal_flushes_total Transactions that reached the disk
# TYPE plantroom_edge_journal_flushes_total counter
plantroom_edge_journal_flushes_total 99
# HELP plantroom_edge_disk_written_bytes_total Bytes written to disks since the start
# TYPE plantroom_edge_disk_written_bytes_total counter
plantroom_edge_disk_written_bytes_total 4096
# HELP plantroom_edge_connection_status 1 connected, 2 connecting, 0 disconnected, -1 error
# TYPE plantroom_edge_connection_status gauge
plantroom_edge_connection_status{connection="con_1",name="Inverter",protocol="modbus-tcp"} 1
# HELP plantroom_edge_reads_total Datapoints that were read
# TYPE plantroom_edge_reads_total counter
plantroom_edge_reads_total{connection="con_1",name="Inverter",protocol="modbus-tcp"} 100
# HELP plantroom_edge_read_errors_total Datapoints that could not be read
# TYPE plantroom_edge_read_errors_total counter
plantroom_edge_read_errors_total{connection="con_1",name="Inverter",protocol="modbus-tcp"} 5
# HELP plantroom_edge_writes_total Writes that the equipment accepted
# TYPE plantroom_edge_writes_total counter
plantroom_edge_writes_total{connection="con_1",name="Inverter",protocol="modbus-tcp"} 7
# HELP plantroom_edge_timeouts_total Requests and connection attempts without an answer
# TYPE plantroom_edge_timeouts_total counter
plantroom_edge_timeouts_total{connection="con_1",name="Inverter",protocol="modbus-tcp"} 3
# HELP plantroom_edge_exceptions_total Error answers from the equipment
# TYPE plantroom_edge_exceptions_total counter
plantroom_edge_exceptions_total{connection="con_1",name="Inverter",protocol="modbus-tcp"} 2
# HELP plantroom_edge_reconnects_total Lost links that came back
# TYPE plantroom_edge_reconnects_total counter
plantroom_edge_reconnects_total{connection="con_1",name="Inverter",protocol="modbus-tcp"} 1
`,
    )
  })

  test('leave out unknown figures and empty series', () => {
    const text = metricsText({ connections: [], journalFlushes: 0, unsentMeasurements: undefined })
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([
      'plantroom_edge_journal_flushes_total 0',
    ])
    expect(text).not.toContain('undefined')
  })

  test('show a trusted clock as 0', () => {
    expect(metricsText({ ...everything, clockSuspect: false })).toContain('\nplantroom_edge_clock_suspect 0\n')
  })

  test('have one heading for all connections of a series', () => {
    const meter = { ...inverter, id: 'con_2', name: 'Meter', status: -1 as const }
    const text = metricsText({ ...everything, connections: [inverter, meter] })
    expect(text.match(/# TYPE plantroom_edge_connection_status/g)).toHaveLength(1)
    expect(text).toContain('{connection="con_2",name="Meter",protocol="modbus-tcp"} -1\n')
  })

  test('escape the names of connections', () => {
    const name = 'the "new" one\\\n} 1\nplantroom_edge_windows_held 7'
    const text = metricsText({ connections: [{ ...inverter, name }], journalFlushes: 1 })
    expect(text).toContain('name="the \\"new\\" one\\\\\\n} 1\\nplantroom_edge_windows_held 7",')
    expect(text.split('\n').filter((line) => line.startsWith('plantroom_edge_windows_held'))).toEqual([])
  })
})
