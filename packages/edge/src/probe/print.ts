import { shown } from '@plantroom/contract/shown'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { ProbedConnection, ProbedDatapoint } from './probe-connection.ts'

const LONGEST_LINE = 1_000

/** Reports whether every connection is up and every readable datapoint was read. */
export function allReadable(connections: readonly ProbedConnection[]): boolean {
  return connections.every(
    ({ status, datapoints }) =>
      status === CONNECTION_STATUS.connected && datapoints.every(({ error }) => error === null),
  )
}

/** Formats the findings for people: one line for a connection that never answered, otherwise one per datapoint. */
export function formatFindings(technicalSystem: string, connections: readonly ProbedConnection[]): string {
  const lines = connections.flatMap((connection) => [headOf(connection), ...linesOf(connection)])
  return [technicalSystem, ...lines, summaryOf(connections)].map(printable).join('\n')
}

function headOf({ name, protocol, endpoint, status, error }: ProbedConnection): string {
  const state = status === CONNECTION_STATUS.connected ? 'connected' : `cannot be used: ${error}`
  return `${name} (${protocol}, ${endpoint}): ${state}`
}

function linesOf({ status, datapoints }: ProbedConnection): string[] {
  if (status !== CONNECTION_STATUS.connected && !datapoints.some(wasRead)) return []
  const widest = (text: (datapoint: ProbedDatapoint) => string) =>
    datapoints.reduce((width, datapoint) => Math.max(width, text(datapoint).length), 0)
  const nameWidth = widest(({ name }) => name)
  const valueWidth = widest(({ value }) => String(value ?? ''))
  return datapoints.map((datapoint) => {
    const { name, accessType, raw, value, note, error } = datapoint
    const head = `  ${name.padEnd(nameWidth)}  `
    if (accessType === 'WRITE') return `${head}not tested: it can only be written`
    if (note !== null) return `${head}holds no number: ${note}`
    if (error !== null) return `${head}cannot be read: ${error}`
    return `${head}${String(value).padStart(valueWidth)}  raw ${raw}`
  })
}

function summaryOf(connections: readonly ProbedConnection[]): string {
  const readable = connections
    .flatMap(({ datapoints }) => datapoints)
    .filter(({ accessType }) => accessType !== 'WRITE')
  const read = readable.filter(wasRead)
  return `${read.length} of ${readable.length} datapoints can be read`
}

const wasRead = ({ accessType, error }: ProbedDatapoint) => accessType !== 'WRITE' && error === null

// Text from equipment must not move the cursor or change the colours of the terminal.
const printable = (text: string) => shown(text, LONGEST_LINE)
