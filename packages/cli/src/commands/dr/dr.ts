import { type Clock, sleep, systemClock } from '@plantroom/base/clock'
import type { ExportedDatapoint, Limits } from '@plantroom/contract/datapoint'
import { positiveNumber } from '../../arguments.ts'
import { DEVICE_FLAGS, deviceCommands } from '../../clients.ts'
import { valued } from '../../command.ts'
import type { Flags } from '../../config.ts'
import { command, verb } from '../../declare.ts'
import type { Directory } from '../../directory.ts'
import { note, print } from '../../output.ts'
import { pointsTable, valuesTable } from '../../tables.ts'
import { cancel } from './cancel.ts'
import { list } from './list.ts'
import { override } from './override.ts'

const CONNECTION = [
  { name: 'CONNECTION', about: 'by id or name; all by default', optional: true, completes: 'connection' },
] as const

export const dr = command('dr', {
  group: 'control',
  about: "send a partner's commands with an API key",
  notes: `DURATION is a number with a unit: 90s, 15m or 2h. TIME is a time with a zone: 2026-03-01T12:00:00Z.
VALUE is in engineering units and may be negative. Set the service, the API key, the organization and the device in a profile (plantroom profile add), or PLANTROOM_URL, PLANTROOM_API_KEY, PLANTROOM_ORG and PLANTROOM_DEVICE.`,
  verbs: {
    points: verb({
      about: 'list the datapoints of a connection, with their envelope and limits',
      arguments: CONNECTION,
      options: DEVICE_FLAGS,
      json: 'one line for each connection: {connectionId, datapoints}',
      async run(flags, given) {
        const { commands, directory, connections } = await target(flags, given.CONNECTION)
        const limits = directory.limits()
        for (const { id } of connections) {
          const points = (await commands.datapoints(id)).map((point) => withLimits(point, limits.get(point.id)))
          print(flags.json, { connectionId: id, datapoints: points }, () => pointsTable(points))
        }
      },
    }),
    values: verb({
      about: 'read the live values of a connection',
      arguments: CONNECTION,
      options: DEVICE_FLAGS,
      json: 'one line for each connection: {connectionId, status, error, timestamp, values}',
      async run(flags, given) {
        const { commands, directory, connections } = await target(flags, given.CONNECTION)
        for (const { id } of connections) {
          const snapshot = await commands.values(id)
          print(flags.json, snapshot, () => valuesTable(snapshot, knownOf(directory)))
        }
      },
    }),
    watch: verb({
      about: 'read the live values repeatedly',
      arguments: CONNECTION,
      options: {
        ...DEVICE_FLAGS,
        every: valued('SECONDS', 'the time between two readings; 2 by default'),
        count: valued('N', 'end after N readings'),
      },
      json: 'as values, once for each reading',
      async run(flags, given) {
        const everySeconds = positiveNumber(flags.every ?? '2', '--every')
        const count = flags.count === undefined ? Number.POSITIVE_INFINITY : positiveNumber(flags.count, '--count')
        const { commands, directory, connections } = await target(flags, given.CONNECTION)
        const known = knownOf(directory)
        await watch({
          everySeconds,
          count,
          json: flags.json,
          clock: systemClock,
          async show() {
            for (const { id } of connections) {
              const snapshot = await commands.values(id)
              print(flags.json, snapshot, () => `${valuesTable(snapshot, known)}\n`)
            }
          },
        })
      },
    }),
    override,
    list,
    cancel,
  },
})

const withLimits = (point: ExportedDatapoint, limits: Limits | undefined) => (limits ? { ...point, limits } : point)

/** Returns the commands of the device and the connections that were asked for. */
async function target(flags: Flags, given: string | undefined) {
  const { commands, directory } = await deviceCommands(flags)
  await directory.learn()
  return { commands, directory, connections: directory.connections(given) }
}

function knownOf(directory: Directory) {
  const connections = new Map(directory.connections().map(({ id, name }) => [id, name]))
  return { names: directory.datapointNames(), units: directory.units(), connections }
}

/** Calls `show` at an interval. Prints a failure and continues, because devices come back. */
export async function watch(options: {
  everySeconds: number
  count: number
  json?: boolean | undefined
  clock: Clock
  show(): Promise<void>
}): Promise<void> {
  for (let shown = 1; ; shown += 1) {
    try {
      await options.show()
    } catch (error) {
      if (shown >= options.count) throw error
      note(options.json, (error as Error).message)
    }
    if (shown >= options.count) return
    await sleep(options.clock, options.everySeconds * 1000)
  }
}
