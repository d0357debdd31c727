import type { ConnectionFigures } from '../connections/connection-state.ts'

/** The figures of a device. A figure that is unknown at the moment is left out. */
export interface Figures {
  connections: readonly ConnectionFigures[]
  /** Overrides that have not ended, queued ones included. */
  overridesPlaced?: number | undefined
  /** Datapoints that are held or not yet restored. */
  datapointsHeld?: number | undefined
  /** Audit entries that the cloud has not confirmed. */
  unsentReports?: number | undefined
  unsentMeasurements?: number | undefined
  journalFlushes: number
  /** Bytes that this process wrote to disks. */
  diskWritten?: number | undefined
  /** True while the controller does not know the time. */
  clockSuspect?: boolean | undefined
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

interface Series<Of> {
  name: string
  type: 'gauge' | 'counter'
  help: string
  value(of: Of): number | undefined
}

const DEVICE_SERIES: readonly Series<Figures>[] = [
  gauge('windows_held', 'Demand response overrides that have not ended', (figures) => figures.overridesPlaced),
  gauge('datapoints_held', 'Datapoints held or not yet restored', ({ datapointsHeld }) => datapointsHeld),
  gauge('unsent_reports', 'Audit entries not confirmed by the cloud', ({ unsentReports }) => unsentReports),
  gauge('unsent_measurements', 'Measurements not confirmed by the cloud', (figures) => figures.unsentMeasurements),
  gauge('clock_suspect', '1 while the controller does not know the time', ({ clockSuspect }) =>
    clockSuspect === undefined ? undefined : Number(clockSuspect),
  ),
  counter('journal_flushes_total', 'Transactions that reached the disk', ({ journalFlushes }) => journalFlushes),
  counter('disk_written_bytes_total', 'Bytes written to disks since the start', ({ diskWritten }) => diskWritten),
]

const CONNECTION_SERIES: readonly Series<ConnectionFigures>[] = [
  gauge('connection_status', '1 connected, 2 connecting, 0 disconnected, -1 error', ({ status }) => status),
  counter('reads_total', 'Datapoints that were read', ({ reads }) => reads),
  counter('read_errors_total', 'Datapoints that could not be read', ({ readErrors }) => readErrors),
  counter('writes_total', 'Writes that the equipment accepted', ({ writes }) => writes),
  counter('timeouts_total', 'Requests and connection attempts without an answer', ({ timeouts }) => timeouts),
  counter('exceptions_total', 'Error answers from the equipment', ({ exceptions }) => exceptions),
  counter('reconnects_total', 'Lost links that came back', ({ reconnects }) => reconnects),
]

/** Formats the figures in the Prometheus text format. */
export function metricsText(figures: Figures): string {
  const deviceLines = DEVICE_SERIES.flatMap((series) => block(series, [{ labels: '', value: series.value(figures) }]))
  const connectionLines = CONNECTION_SERIES.flatMap((series) =>
    block(
      series,
      figures.connections.map((connection) => ({ labels: labelsOf(connection), value: series.value(connection) })),
    ),
  )
  return `${[...deviceLines, ...connectionLines].join('\n')}\n`
}

function block(
  { name, type, help }: Series<never>,
  samples: readonly { labels: string; value: number | undefined }[],
): string[] {
  const known = samples.filter(({ value }) => value !== undefined)
  if (known.length === 0) return []
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...known.map(({ labels, value }) => `${name}${labels} ${value}`),
  ]
}

const labelsOf = ({ id, name, protocol }: ConnectionFigures) =>
  `{connection="${escaped(id)}",name="${escaped(name)}",protocol="${escaped(protocol)}"}`

// Installers choose the names: a quote in one must not start another label.
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function gauge<Of>(name: string, help: string, value: Series<Of>['value']): Series<Of> {
  return { name: `plantroom_edge_${name}`, type: 'gauge', help, value }
}

function counter<Of>(name: string, help: string, value: Series<Of>['value']): Series<Of> {
  return { name: `plantroom_edge_${name}`, type: 'counter', help, value }
}
