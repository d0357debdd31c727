import type { Connection, Datapoint, TechnicalSystem } from '@plantroom/contract/datapoint'
import type { Problem, Protocol, Target } from '@plantroom/drivers/driver'

/** A writable datapoint, the equipment behind it, and how a person finds it. */
interface Writer {
  datapoint: Datapoint
  target: Target
  /** Its path in the system that is checked; `undefined` for a datapoint of another system. */
  path: string | undefined
}

type ProtocolOf = (connection: Connection) => Protocol | undefined

/**
 * Returns a problem for each datapoint that would write an address which another datapoint writes already. Two writers
 * on one address restore over each other, so that the equipment is left at a setpoint.
 */
export function sharedTargets(
  system: TechnicalSystem,
  others: Iterable<Connection>,
  protocolOf: ProtocolOf,
): Problem[] {
  const own = system.connections.flatMap((connection, index) =>
    writersOf(connection, protocolOf, (d) => `connections[${index}].datapoints[${d}]`),
  )
  const foreign = [...others].flatMap((connection) => writersOf(connection, protocolOf, () => undefined))
  const problems: Problem[] = []
  for (const writers of Map.groupBy([...own, ...foreign], ({ target }) => target.space).values()) {
    let widest: Writer | undefined
    for (const writer of writers.toSorted((a, b) => a.target.start - b.target.start)) {
      if (widest && widest.target.end > writer.target.start) problems.push(...describeOverlap(widest, writer))
      if (!widest || writer.target.end > widest.target.end) widest = writer
    }
  }
  return problems
}

function describeOverlap(one: Writer, other: Writer): Problem[] {
  const [mine, theirs] = other.path === undefined ? [one, other] : [other, one]
  if (mine.path === undefined) return []
  const where = theirs.path === undefined ? 'of another technical system' : `at ${theirs.path}`
  const message = `${mine.datapoint.name} writes ${mine.target.name}, and ${theirs.datapoint.name} ${where} writes ${theirs.target.name}; two datapoints must not write the same address`
  return [{ path: `${mine.path}.data`, message }]
}

function writersOf(connection: Connection, protocolOf: ProtocolOf, pathOf: (index: number) => string | undefined) {
  const protocol = protocolOf(connection)
  // A connection that an older version accepted may have problems by today's rules: it writes nothing.
  const targets = protocol && protocol.check(connection).length === 0 ? protocol.targets(connection) : []
  return connection.datapoints.flatMap((datapoint, index): Writer[] => {
    const target = targets[index]
    return target ? [{ datapoint, target, path: pathOf(index) }] : []
  })
}

/**
 * Returns the fields in which two versions of a datapoint differ such that other equipment would be written, or the same
 * equipment with another meaning: `settings.unitId`, `data.register`, `scaler`. Empty when it is the same equipment.
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

/** Each key whose value differs, with `before` in which only that key is changed. */
function differing(before: Record<string, unknown>, after: Record<string, unknown>) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => {
    if (JSON.stringify(before[key]) === JSON.stringify(after[key])) return []
    const { [key]: _, ...rest } = before
    return [[key, key in after ? { ...rest, [key]: after[key] } : rest] as const]
  })
}

const sorted = (record: object) => Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1))
