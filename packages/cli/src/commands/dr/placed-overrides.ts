import type { LiveDevice } from '@plantroom/contract/control-state'
import { UsageError } from '../../command.ts'
import type { Named } from '../../names.ts'
import { orDash, printable, table } from '../../output.ts'

/** One override that has not ended, as the command line prints it. */
export interface ListedOverride {
  /** `null` when the caller neither placed it nor manages the site. */
  id: string | null
  deviceId: string
  device: string
  datapointId: string
  /** The name of the datapoint; `null` when it is no longer commissioned. */
  datapoint: string | null
  value: number
  unit: string | null
  state: LiveDevice['overrides'][number]['state']
  from: string
  to: string
  placedBy: string | null
  /** False when the device does not answer, and this is what it said last. */
  live: boolean
}

interface Known {
  id: string
  name: string
  live: boolean
  names: ReadonlyMap<string, string>
  units: ReadonlyMap<string, string>
}

/** Lists the overrides of a device: active ones first, then queued ones, then superseded ones. */
export function listOverrides({ overrides }: Pick<LiveDevice, 'overrides'>, known: Known): ListedOverride[] {
  return overrides.map(({ id, datapointId, value, state, from, to, placedByName }) => ({
    id,
    deviceId: known.id,
    device: known.name,
    datapointId,
    datapoint: known.names.get(datapointId) ?? null,
    value,
    unit: known.units.get(datapointId) ?? null,
    state,
    from,
    to,
    placedBy: placedByName,
    live: known.live,
  }))
}

export function overridesTable(overrides: readonly ListedOverride[]): string {
  const rows = overrides.map(({ id, device, datapointId, datapoint, value, unit, state, from, to, placedBy }) => [
    ...[orDash(id), device, datapoint ?? datapointId, unit === null ? String(value) : `${value} ${unit}`],
    ...[state, from, to, orDash(placedBy)],
  ])
  const header = ['ID', 'DEVICE', 'DATAPOINT', 'VALUE', 'STATE', 'FROM', 'TO', 'PLACED BY']
  return table(header, rows, 'no active or queued overrides')
}

/** Returns the id of the only override on a datapoint. Several are a `UsageError` that lists them. */
export function onlyOverrideOn(datapoint: Named, overrides: readonly ListedOverride[]): string {
  const found = overrides.filter(({ datapointId, id }) => datapointId === datapoint.id && id !== null)
  const [first, ...others] = found
  const name = printable(datapoint.name)
  if (!first?.id) throw new Error(`there is no override to cancel on ${name}: plantroom dr list shows all`)
  if (others.length === 0) return first.id
  const all = found.map(({ id, value, unit, state, from, to }) => {
    return `${id} (${state}, ${[value, unit].filter((part) => part !== null).join(' ')} from ${from} to ${to})`
  })
  throw new UsageError(`${found.length} overrides are on ${name}; give one of the ids: ${all.join(', ')}`)
}
