import { sha256 } from '@plantroom/base/sha256'
import type { DeviceTarget } from '@plantroom/contract/commissioning'
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
  return overlaps([...own, ...foreign]).flatMap(([one, other]) => describeOverlap(one, other))
}

/** A datapoint that is not written, because another one writes the same address. */
export interface SharedTarget {
  first: Datapoint
  second: Datapoint
  /** The address in plain words. */
  name: string
}

/**
 * Returns the datapoints that must not be written because an older one writes the same address. An earlier version, or
 * one that knew fewer spellings of an address, may have accepted them.
 */
export function laterTargets(connections: Iterable<Connection>, protocolOf: ProtocolOf): SharedTarget[] {
  const all = [...connections].flatMap((connection) => writableOf(connection, protocolOf, () => undefined))
  if (overlaps(all).length === 0) return []
  const written: WritableDatapoint[] = []
  return all.toSorted(byAge).flatMap((second) => {
    const first = written.find(({ target }) => isSameAddress(target, second.target))
    if (first) return [{ first: first.datapoint, second: second.datapoint, name: second.target.name }]
    written.push(second)
    return []
  })
}

/** Returns what a system writes outside of the controller, for comparison with other controllers. Nothing in it is secret. */
export function outerTargets({ connections }: TechnicalSystem, protocolOf: ProtocolOf): DeviceTarget[] {
  return connections.flatMap((connection, c) =>
    writableOf(connection, protocolOf, String).flatMap(({ target, path }): DeviceTarget[] => {
      const { start, end, reach } = target
      if (reach === 'controller') return []
      return [{ at: [c, Number(path)], space: sha256(target.space).slice(0, SPACE_DIGITS), start, end, reach }]
    }),
  )
}

/** 80 bits: equal by chance never. */
const SPACE_DIGITS = 20

const byAge = ({ datapoint: a }: WritableDatapoint, { datapoint: b }: WritableDatapoint) =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id) ? -1 : 1

const isSameAddress = (a: Target, b: Target) => a.space === b.space && a.start < b.end && b.start < a.end

/** Returns each datapoint that overlaps one that begins before it, after that one. */
function overlaps(datapoints: readonly WritableDatapoint[]): [WritableDatapoint, WritableDatapoint][] {
  const found: [WritableDatapoint, WritableDatapoint][] = []
  for (const group of Map.groupBy(datapoints, ({ target }) => target.space).values()) {
    let widest: WritableDatapoint | undefined
    for (const datapoint of group.toSorted((a, b) => a.target.start - b.target.start)) {
      if (widest && widest.target.end > datapoint.target.start) found.push([widest, datapoint])
      if (!widest || datapoint.target.end > widest.target.end) widest = datapoint
    }
  }
  return found
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

/** What of a datapoint differs between two files. */
export interface ChangedFields {
  /** The fields whose change makes it write other equipment, or the same equipment in another way. */
  fields: readonly string[]
  /** Those of them that change what a value means, so that a hold cannot continue even on the same equipment. */
  fixed: readonly string[]
}

/**
 * Returns the fields that decide which equipment a datapoint writes and that differ, for example `settings.unitId`,
 * `data.register` or `scaler`. Empty when the equipment stays the same.
 */
export function changedFields(
  before: { connection: Connection; datapoint: Datapoint },
  after: { connection: Connection; datapoint: Datapoint },
  protocolOf: ProtocolOf,
): ChangedFields {
  const alone = (field: string) => ({ fields: [field], fixed: [field] })
  if (before.connection.protocol !== after.connection.protocol) return alone('protocol')
  if (before.connection.id !== after.connection.id) return alone('connection')
  if (after.datapoint.accessType === 'READ') return alone('accessType')
  const isScaled = JSON.stringify(sorted(before.datapoint.scaler)) !== JSON.stringify(sorted(after.datapoint.scaler))
  const scaler = isScaled ? ['scaler'] : []
  const target = (settings: Connection['settings'], data: Datapoint['data']) =>
    targetOf(before.connection, { ...before.datapoint, data }, settings, protocolOf)
  const { settings } = before.connection
  const { data } = before.datapoint
  const mixed = [
    ...differing(settings, after.connection.settings).map(
      ([key, one]) => [`settings.${key}`, target(one, data)] as const,
    ),
    ...differing(data, after.datapoint.data).map(([key, one]) => [`data.${key}`, target(settings, one)] as const),
  ]
  const now = target(settings, data)
  const next = target(after.connection.settings, after.datapoint.data)
  const named = (part: 'identity' | 'meaning') => {
    if (now?.[part] === next?.[part]) return []
    const found = mixed.flatMap(([field, one]) => (one?.[part] === now?.[part] ? [] : [field]))
    return found.length > 0 ? found : ['settings or data']
  }
  return { fields: [...scaler, ...named('identity')], fixed: [...scaler, ...named('meaning')] }
}

function targetOf(
  connection: Connection,
  datapoint: Datapoint,
  settings: Connection['settings'],
  protocolOf: ProtocolOf,
): Target | undefined {
  const mixed = { settings, datapoints: [datapoint] }
  const protocol = protocolOf(connection)
  return protocol && protocol.check(mixed).length === 0 ? protocol.targets(mixed)[0] : undefined
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
