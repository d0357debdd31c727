import type { ConnectionFigures } from '../connections/tally.ts'
import type { Figures } from './figures.ts'

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

interface Series<Of> {
  name: string
  type: 'gauge' | 'counter'
  help: string
  value(of: Of): number | undefined
}

const OF_THE_DEVICE: readonly Series<Figures>[] = [
  gauge('windows_held', 'Demand response windows that have not ended', ({ windowsHeld }) => windowsHeld),
  gauge('datapoints_held', 'Datapoints held, or not yet handed back', ({ datapointsHeld }) => datapointsHeld),
  gauge('unsent_reports', 'Entries of the audit not confirmed by the cloud', ({ unsentReports }) => unsentReports),
  gauge('unsent_measurements', 'Measurements not confirmed by the cloud', (figures) => figures.unsentMeasurements),
  gauge('clock_suspect', '1 while the clock of the controller is not believed', ({ clockSuspect }) =>
    clockSuspect === undefined ? undefined : Number(clockSuspect),
  ),
  counter('journal_flushes_total', 'Transactions that reached the disk', ({ journalFlushes }) => journalFlushes),
]

const OF_A_CONNECTION: readonly Series<ConnectionFigures>[] = [
  gauge('connection_status', '1 connected, 2 connecting, 0 disconnected, -1 error', ({ status }) => status),
  counter('reads_total', 'Datapoints that were read', ({ reads }) => reads),
  counter('read_errors_total', 'Datapoints that could not be read', ({ readErrors }) => readErrors),
  counter('writes_total', 'Writes that the equipment took', ({ writes }) => writes),
  counter('timeouts_total', 'Questions and attempts to connect left without an answer', ({ timeouts }) => timeouts),
  counter('exceptions_total', 'Answers of the equipment that were a refusal', ({ exceptions }) => exceptions),
  counter('reconnects_total', 'Links that stood again after they were lost', ({ reconnects }) => reconnects),
]

/** The figures in the text form of Prometheus. */
export function metricsText(figures: Figures): string {
  const ofTheDevice = OF_THE_DEVICE.flatMap((series) => block(series, [{ labels: '', value: series.value(figures) }]))
  const ofConnections = OF_A_CONNECTION.flatMap((series) =>
    block(
      series,
      figures.connections.map((connection) => ({ labels: labelsOf(connection), value: series.value(connection) })),
    ),
  )
  return `${[...ofTheDevice, ...ofConnections].join('\n')}\n`
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

// Names are what installers typed: a quote in one must not begin another label.
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function gauge<Of>(name: string, help: string, value: Series<Of>['value']): Series<Of> {
  return { name: `plantroom_edge_${name}`, type: 'gauge', help, value }
}

function counter<Of>(name: string, help: string, value: Series<Of>['value']): Series<Of> {
  return { name: `plantroom_edge_${name}`, type: 'counter', help, value }
}
