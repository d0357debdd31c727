import { systemClock } from '@plantroom/base/clock'
import type { Datapoint } from '@plantroom/contract/datapoint'
import type { ConnectionValues } from '@plantroom/contract/values'
import { byVerb, COMMON_FLAGS, type Command, parse, UsageError } from '../command.ts'
import type { CliConfig } from '../config.ts'
import { print, table } from '../output.ts'
import { asPartner } from './context.ts'
import { watch } from './watch.ts'

export const dr: Command = {
  usage: `plantroom dr points [CONNECTION]        export the datapoints of a connection
plantroom dr values [CONNECTION]        read the live values of a connection
plantroom dr watch [CONNECTION]         read them again and again: --every SECONDS (default 2), --count N

CONNECTION is an id, or a name in a running demo, where all are shown without one.
PLANTROOM_API_KEY, PLANTROOM_URL, PLANTROOM_ORG and PLANTROOM_DEVICE (or --url, --org, --device) say whose.`,
  run: byVerb({
    async points(args) {
      const { flags, partner, connections } = aim(args)
      for (const id of connections) {
        const points = await partner.datapoints(id)
        print(flags.json, { connectionId: id, datapoints: points }, () => pointsTable(points))
      }
    },
    async values(args) {
      const { flags, partner, connections, names } = aim(args)
      for (const id of connections) {
        const snapshot = await partner.values(id)
        print(flags.json, snapshot, () => valuesTable(snapshot, names))
      }
    },
    async watch(args) {
      const { flags, partner, connections, names } = aim(args)
      await watch({
        everySeconds: positive(flags.every ?? '2', '--every'),
        count: flags.count === undefined ? Number.POSITIVE_INFINITY : positive(flags.count, '--count'),
        clock: systemClock,
        async show() {
          for (const id of connections) {
            const snapshot = await partner.values(id)
            print(flags.json, snapshot, () => `${valuesTable(snapshot, names)}\n`)
          }
        },
      })
    },
  }),
}

/** Whom and what a command line is about. */
function aim(args: readonly string[]) {
  const { values: flags, positionals: given } = parse(args, {
    ...COMMON_FLAGS,
    device: { type: 'string' },
    every: { type: 'string' },
    count: { type: 'string' },
  })
  const { partner, config } = asPartner(flags)
  return { flags, partner, connections: chosen(config, given), names: namesOf(config) }
}

function chosen(config: CliConfig, given: readonly string[]): string[] {
  const known = config.demo?.connections ?? []
  if (given.length > 1) throw new UsageError(`${given[1]} is one argument too many`)
  if (given[0] !== undefined) return [known.find((connection) => connection.name === given[0])?.id ?? given[0]]
  if (known.length === 0) throw new UsageError('CONNECTION is missing')
  return known.map((connection) => connection.id)
}

function namesOf(config: CliConfig): ReadonlyMap<string, string> {
  const connections = config.demo?.connections ?? []
  return new Map(connections.flatMap(({ datapoints }) => datapoints.map(({ id, name }) => [id, name])))
}

function pointsTable(points: readonly Datapoint[]): string {
  const rows = points.map((point) => [
    point.id,
    point.name,
    point.accessType,
    point.writeInputData ? `${point.writeInputData.min} to ${point.writeInputData.max}` : '',
    JSON.stringify(point.data),
  ])
  return table(['ID', 'NAME', 'ACCESS', 'ENVELOPE', 'ADDRESS'], rows, 'this connection has no datapoints')
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  1: 'connected',
  2: 'connecting',
  0: 'disconnected, last known values',
  [-1]: 'error, last known values',
}

function valuesTable(snapshot: ConnectionValues, names: ReadonlyMap<string, string>): string {
  const rows = Object.entries(snapshot.values).map(([id, value]) => [
    id,
    names.get(id) ?? '',
    String(value.value ?? '-'),
    value.timestamp,
    value.lockedBy ?? '',
    value.error ?? '',
  ])
  const state = STATUS_WORDS[snapshot.status] ?? String(snapshot.status)
  const head = `${snapshot.connectionId} at ${snapshot.timestamp}: ${state}${snapshot.error ? ` (${snapshot.error})` : ''}`
  return `${head}\n${table(['ID', 'NAME', 'VALUE', 'READ AT', 'HELD BY', 'ERROR'], rows, 'no datapoints')}`
}

function positive(text: string, flag: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new UsageError(`${flag} ${text} is not a number above 0`)
  return value
}
