import { type Clock, sleep, systemClock } from '@plantroom/base/clock'
import type { ExportedDatapoint, Limits } from '@plantroom/contract/datapoint'
import { positiveNumber } from '../../arguments.ts'
import { deviceCommands } from '../../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, UsageError } from '../../command.ts'
import type { CliConfig } from '../../config.ts'
import { connectionOf, knownConnections } from '../../directory.ts'
import { print, printable } from '../../output.ts'
import { pointsTable, valuesTable } from '../../tables.ts'
import { cancel, override } from './override.ts'

export const dr: Command = {
  usage: `plantroom dr points [CONNECTION]        list the datapoints of a connection, with their envelope and limits
plantroom dr values [CONNECTION]        read the live values of a connection
plantroom dr watch [CONNECTION]         read the values repeatedly: --every SECONDS (default 2), --count N
plantroom dr override DATAPOINT VALUE --for DURATION | --to TIME
                                        hold a datapoint at a value, then release it; prints the override's id
                                        --from TIME       start later than now
                                        --connection C    find the datapoint on this connection and check its envelope
                                        --force           send a value outside the envelope anyway; limits still hold
                                        --reason TEXT     why, kept with the override, up to 200 characters
                                        --req-id UUID     repeat an override that may have arrived; duplicates are ignored
plantroom dr cancel ID                  release an override now; safe to repeat
                                        --reason TEXT     why, kept in the audit, up to 200 characters

DURATION is a number with a unit: 90s, 15m or 2h. TIME is a time with a zone: 2026-03-01T12:00:00Z.
VALUE is in engineering units and may be negative.
CONNECTION and DATAPOINT are ids. With a running demo they may be names, and CONNECTION defaults to all connections.
Set PLANTROOM_API_KEY, PLANTROOM_URL, PLANTROOM_ORG and PLANTROOM_DEVICE, or use --url, --org and --device.`,
  run: byVerb({
    async points(args) {
      const { flags, commands, connections } = parseTarget(args)
      const limits = await commands.limits().catch(() => new Map<string, Limits>())
      for (const id of connections) {
        const points = (await commands.datapoints(id)).map((point) => withLimits(point, limits.get(point.id)))
        print(flags.json, { connectionId: id, datapoints: points }, () => pointsTable(points))
      }
    },
    async values(args) {
      const { flags, commands, connections, names } = parseTarget(args)
      for (const id of connections) {
        const snapshot = await commands.values(id)
        const units = flags.json ? NO_UNITS : await commands.units()
        print(flags.json, snapshot, () => valuesTable(snapshot, names, units))
      }
    },
    async watch(args) {
      const { flags, commands, connections, names } = parseTarget(args)
      let units: ReadonlyMap<string, string> | undefined
      await watch({
        everySeconds: positiveNumber(flags.every ?? '2', '--every'),
        count: flags.count === undefined ? Number.POSITIVE_INFINITY : positiveNumber(flags.count, '--count'),
        clock: systemClock,
        async show() {
          for (const id of connections) {
            const snapshot = await commands.values(id)
            units ??= flags.json ? NO_UNITS : await commands.units()
            const known = units
            print(flags.json, snapshot, () => `${valuesTable(snapshot, names, known)}\n`)
          }
        },
      })
    },
    override,
    cancel,
  }),
}

const NO_UNITS: ReadonlyMap<string, string> = new Map()

const withLimits = (point: ExportedDatapoint, limits: Limits | undefined) => (limits ? { ...point, limits } : point)

/** Parses the flags of `points`, `values` and `watch` and resolves their connections. */
function parseTarget(args: readonly string[]) {
  const { values: flags, positionals: given } = parse(args, {
    ...COMMON_FLAGS,
    device: { type: 'string' },
    every: { type: 'string' },
    count: { type: 'string' },
  })
  const { commands, config } = deviceCommands(flags)
  return { flags, commands, connections: chosen(config, given), names: namesOf(config) }
}

function chosen(config: CliConfig, given: readonly string[]): string[] {
  if (given.length > 1) throw new UsageError(`unexpected argument ${given[1]}`)
  if (given[0] !== undefined) return [connectionOf(config, given[0]).id]
  const known = knownConnections(config)
  if (known.length === 0) throw new UsageError('CONNECTION is missing')
  return known.map((connection) => connection.id)
}

function namesOf(config: CliConfig): ReadonlyMap<string, string> {
  return new Map(knownConnections(config).flatMap(({ datapoints }) => datapoints.map(({ id, name }) => [id, name])))
}

/** Calls `show` at an interval. Prints a failure and continues, because devices come back. */
export async function watch(options: {
  everySeconds: number
  count: number
  clock: Clock
  show(): Promise<void>
}): Promise<void> {
  for (let shown = 1; ; shown += 1) {
    try {
      await options.show()
    } catch (error) {
      if (shown >= options.count) throw error
      console.error(`plantroom: ${printable((error as Error).message)}`)
    }
    if (shown >= options.count) return
    await sleep(options.clock, options.everySeconds * 1000)
  }
}
