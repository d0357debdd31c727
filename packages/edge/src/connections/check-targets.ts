import type { Connection, Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Problem, Protocol, Target } from '@plantroom/drivers/driver'

/** A writable datapoint, the equipment behind it, and its place in the commissioning file. */
interface WritableDatapoint {
  datapoint: Datapoint
  target: Target
  /** Its path in the checked system; `undefined` for a datapoint of another system. */
  path: string | undefined
}

type ProtocolOf = (connection: Connection) => Protocol | undefined

/**
 * Returns a problem for each datapoint that writes the same address as another one. Two datapoints on one address would
 * restore over each other and leave the equipment at a setpoint.
 */
export function sharedTargets(
  system: TechnicalSystem,
  others: Iterable<Connection>,
  protocolOf: ProtocolOf,
): Problem[] {
  const own = system.connections.flatMap((connection, index) =>
    writableOf(connection, protocolOf, (d) => `connections[${index}].datapoints[${d}]`),
  )
  const foreign = [...others].flatMap((connection) => writableOf(connection, protocolOf, () => undefined))
  const problems: Problem[] = []
  for (const group of Map.groupBy([...own, ...foreign], ({ target }) => target.space).values()) {
    let widest: WritableDatapoint | undefined
    for (const datapoint of group.toSorted((a, b) => a.target.start - b.target.start)) {
      if (widest && widest.target.end > datapoint.target.start) problems.push(...describeOverlap(widest, datapoint))
      if (!widest || datapoint.target.end > widest.target.end) widest = datapoint
    }
  }
  return problems
}

function describeOverlap(one: WritableDatapoint, other: WritableDatapoint): Problem[] {
  const [mine, theirs] = other.path === undefined ? [one, other] : [other, one]
  if (mine.path === undefined) return []
  const where = theirs.path === undefined ? 'of another technical system' : `at ${theirs.path}`
  const message = `${mine.datapoint.name} writes ${mine.target.name}, and ${theirs.datapoint.name} ${where} writes ${theirs.target.name}; two datapoints must not write the same address`
  return [{ path: `${mine.path}.data`, message }]
}

function writableOf(connection: Connection, protocolOf: ProtocolOf, pathOf: (index: number) => string | undefined) {
  const protocol = protocolOf(connection)
  // A connection that an older version accepted may break today's rules. It does not run, so it writes nothing.
  const targets = protocol && protocol.check(connection).length === 0 ? protocol.targets(connection) : []
  return connection.datapoints.flatMap((datapoint, index): WritableDatapoint[] => {
    const target = targets[index]
    return target ? [{ datapoint, target, path: pathOf(index) }] : []
  })
}

/**
 * Returns the fields whose change makes a datapoint write other equipment, or the same equipment with another meaning,
 * for example `settings.unitId`, `data.register` or `scaler`. Empty when the equipment stays the same.
 */
export function changedFields(
  before: { connection: Connection; datapoint: Datapoint },
  after: { connection: Connection; datapoint: Datapoint },
  protocolOf: ProtocolOf,
): string[] {
  const changed: string[] = []
  if (before.connection.protocol !== after.connection.protocol) return ['protocol']
  if (before.connection.id !== after.connection.id) return ['connection']
  if (after.datapoint.accessType === 'READ') return ['accessType']
  if (JSON.stringify(sorted(before.datapoint.scaler)) !== JSON.stringify(sorted(after.datapoint.scaler))) {
    changed.push('scaler')
  }
  const identity = (settings: Connection['settings'], data: Datapoint['data']) =>
    identityOf(before.connection, { ...before.datapoint, data }, settings, protocolOf)
  const { settings } = before.connection
  const { data } = before.datapoint
  const now = identity(settings, data)
  if (now === identity(after.connection.settings, after.datapoint.data)) return changed
  const named = [
    ...differing(settings, after.connection.settings)
      .filter(([, mixed]) => identity(mixed, data) !== now)
      .map(([key]) => `settings.${key}`),
    ...differing(data, after.datapoint.data)
      .filter(([, mixed]) => identity(settings, mixed) !== now)
      .map(([key]) => `data.${key}`),
  ]
  return [...changed, ...(named.length > 0 ? named : ['settings or data'])]
}

function identityOf(
  connection: Connection,
  datapoint: Datapoint,
  settings: Connection['settings'],
  protocolOf: ProtocolOf,
): string | undefined {
  const mixed = { settings, datapoints: [datapoint] }
  const protocol = protocolOf(connection)
  return protocol && protocol.check(mixed).length === 0 ? protocol.targets(mixed)[0]?.identity : undefined
}

/** Returns each key whose value differs, and `before` with only that key changed. */
function differing(before: Record<string, unknown>, after: Record<string, unknown>) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => {
    if (JSON.stringify(before[key]) === JSON.stringify(after[key])) return []
    const { [key]: _, ...rest } = before
    return [[key, key in after ? { ...rest, [key]: after[key] } : rest] as const]
  })
}

const sorted = (record: object) => Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))
