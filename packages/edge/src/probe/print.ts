import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { ProbedConnection, ProbedDatapoint } from './probe.ts'

/** Is there nothing that speaks against loading the file? */
export function allReadable(connections: readonly ProbedConnection[]): boolean {
  return connections.every(
    ({ status, datapoints }) =>
      status === CONNECTION_STATUS.connected && datapoints.every(({ error }) => error === null),
  )
}

/** What was found, for people: one line for a connection that is down, else one for each datapoint. */
export function forPeople(technicalSystem: string, connections: readonly ProbedConnection[]): string {
  const lines = connections.flatMap((connection) => [headOf(connection), ...linesOf(connection)])
  return [technicalSystem, ...lines, summaryOf(connections)].map(printable).join('\n')
}

function headOf({ name, protocol, endpoint, status, error }: ProbedConnection): string {
  const state = status === CONNECTION_STATUS.connected ? 'connected' : `cannot be used: ${error}`
  return `${name} (${protocol}, ${endpoint}): ${state}`
}

function linesOf({ status, datapoints }: ProbedConnection): string[] {
  if (status !== CONNECTION_STATUS.connected) return []
  const widest = (text: (datapoint: ProbedDatapoint) => string) =>
    datapoints.reduce((width, datapoint) => Math.max(width, text(datapoint).length), 0)
  const nameWidth = widest(({ name }) => name)
  const valueWidth = widest(({ value }) => String(value ?? ''))
  return datapoints.map((datapoint) => {
    const { name, accessType, raw, value, error } = datapoint
    const head = `  ${name.padEnd(nameWidth)}  `
    if (accessType === 'WRITE') return `${head}not tried: it can only be written`
    if (error !== null) return `${head}cannot be read: ${error}`
    return `${head}${String(value).padStart(valueWidth)}  raw ${raw}`
  })
}

function summaryOf(connections: readonly ProbedConnection[]): string {
  const asked = connections.flatMap(({ datapoints }) => datapoints).filter(({ accessType }) => accessType !== 'WRITE')
  const read = asked.filter(({ error }) => error === null)
  return `${read.length} of ${asked.length} datapoints can be read`
}

// What equipment says goes to a terminal here: it must not move the cursor nor colour the rest.
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
