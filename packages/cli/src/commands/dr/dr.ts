import { type Clock, sleep, systemClock } from '@plantroom/base/clock'
import { positiveNumber } from '../../arguments.ts'
import { partnerClient } from '../../clients.ts'
import { byVerb, COMMON_FLAGS, type Command, parse, UsageError } from '../../command.ts'
import type { CliConfig } from '../../config.ts'
import { connectionOf, knownConnections } from '../../directory.ts'
import { print, printable } from '../../output.ts'
import { pointsTable, valuesTable } from '../../tables.ts'
import { cancel, override } from './override.ts'

export const dr: Command = {
  usage: `plantroom dr points [CONNECTION]        export the datapoints of a connection
plantroom dr values [CONNECTION]        read the live values of a connection
plantroom dr watch [CONNECTION]         read them again and again: --every SECONDS (default 2), --count N
plantroom dr override DATAPOINT VALUE --for DURATION | --to TIME
                                        hold a datapoint at a value, then hand it back; prints the id
                                        --from TIME       start later than now
                                        --connection C    where the datapoint is, so that its envelope is checked
                                        --force           send a value outside the envelope all the same
                                        --req-id UUID     repeat an override that may have arrived: it is placed once
plantroom dr cancel ID                  hand it back now; safe to repeat

DURATION is such as 90s, 15m or 2h, TIME such as 2026-03-01T12:00:00Z. VALUE is in engineering units and may be below 0.
CONNECTION and DATAPOINT are an id, or a name in a running demo, where all connections are shown without one.
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
        everySeconds: positiveNumber(flags.every ?? '2', '--every'),
        count: flags.count === undefined ? Number.POSITIVE_INFINITY : positiveNumber(flags.count, '--count'),
        clock: systemClock,
        async show() {
          for (const id of connections) {
            const snapshot = await partner.values(id)
            print(flags.json, snapshot, () => `${valuesTable(snapshot, names)}\n`)
          }
        },
      })
    },
    override,
    cancel,
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
  const { partner, config } = partnerClient(flags)
  return { flags, partner, connections: chosen(config, given), names: namesOf(config) }
}

function chosen(config: CliConfig, given: readonly string[]): string[] {
  if (given.length > 1) throw new UsageError(`${given[1]} is one argument too many`)
  if (given[0] !== undefined) return [connectionOf(config, given[0]).id]
  const known = knownConnections(config)
  if (known.length === 0) throw new UsageError('CONNECTION is missing')
  return known.map((connection) => connection.id)
}

function namesOf(config: CliConfig): ReadonlyMap<string, string> {
  return new Map(knownConnections(config).flatMap(({ datapoints }) => datapoints.map(({ id, name }) => [id, name])))
}

/** Shows something repeatedly. A failure is printed and does not end the loop: devices come back. */
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
