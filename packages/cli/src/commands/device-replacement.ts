import type { Replacement } from '@plantroom/contract/api'
import { table } from '../output.ts'

const AFTER = `Before you start the new controller, switch the old one off or take it off the network of the equipment: without
the service it still controls. Start the new one with an empty data folder and these settings.`

const LEFT_OUT: Readonly<Record<Replacement['leftOut'][number]['reason'], string>> = {
  ended: 'it has ended',
  cancelled: 'it was cancelled',
  'not-commissioned': 'its datapoint is not commissioned',
}

/** Says what a new controller gets in place of the old one, for people. */
export function describeReplacement(replacement: Replacement): string {
  const { technicalSystems, overrides, limits, leftOut, releases, untouched, unknownOverrides, stateAt } = replacement
  const lines = [statusLine(replacement)]
  lines.push(
    technicalSystems.length === 0
      ? 'Nothing is commissioned.'
      : `Commissioned: ${technicalSystems.map(({ name, datapoints }) => `${name} (${datapoints} datapoints)`).join(', ')}`,
  )
  lines.push(stateAt === null ? 'The controller never said what it held.' : `What it held, as of ${stateAt}:`)
  if (overrides.length > 0) {
    const rows = overrides.map(({ id, datapoint, value, from, to, state }) => {
      return [datapoint, String(value), from, to, state, id]
    })
    lines.push(table(['DATAPOINT', 'VALUE', 'FROM', 'TO', 'STATE', 'OVERRIDE'], rows, ''))
  } else if (stateAt !== null) lines.push('no override that has not ended')
  if (limits.length > 0) {
    const rows = limits.map(({ id, datapoint, direction, kw, from, to, state }) => {
      return [datapoint, direction, `${kw} kW`, from, to, state, id]
    })
    lines.push(table(['METER', 'DIRECTION', 'AT MOST', 'FROM', 'TO', 'STATE', 'LIMIT'], rows, ''))
  }
  for (const { id, datapoint, reason } of leftOut)
    lines.push(`not restored: ${id} on ${datapoint}, ${LEFT_OUT[reason]}`)
  for (const { datapoint, value } of releases) {
    lines.push(
      value === null ? `released, to a value that is not known: ${datapoint}` : `set back: ${datapoint} to ${value}`,
    )
  }
  for (const { datapoint } of untouched) lines.push(`left as it is, please check: ${datapoint}`)
  if (unknownOverrides > 0) {
    lines.push(
      `${unknownOverrides} more overrides or power limits were accepted whose values are not known: place them again`,
    )
  }
  return lines.join('\n')
}

function statusLine({ status, online, requestedAt, finishedAt, problem }: Replacement): string {
  const now = online ? 'The controller is online.' : 'The controller is offline.'
  if (status === 'none') return now
  if (status === 'restored') return `${now} It took over at ${finishedAt}.`
  if (status === 'kept') return `${now} It had the data of this device already, and kept them.`
  const waiting = `${now} Since ${requestedAt} a new one is expected.`
  return problem === null ? waiting : `${waiting}\nIt could not take over: ${problem}`
}

/** The settings of the new controller, and what the installer has to do. */
export const whatToDo = (settings: string) => `${AFTER}\n\n${settings}`
