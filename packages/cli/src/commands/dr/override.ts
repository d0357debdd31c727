import { systemClock } from '@plantroom/base/clock'
import { finiteNumber, uuid } from '../../arguments.ts'
import { DEVICE_FLAGS, deviceCommands } from '../../clients.ts'
import { flag, valued } from '../../command.ts'
import { verb } from '../../declare.ts'
import { note, print } from '../../output.ts'
import { describeAccepted, windowOf } from './override-window.ts'
import { placeOverride } from './place-override.ts'

/** Options of the commands that a controller carries out once. */
export const COMMAND_FLAGS = {
  ...DEVICE_FLAGS,
  reason: valued('TEXT', 'why, kept with the override and in the audit, up to 200 characters'),
  'req-id': valued('UUID', 'repeat a command that may have arrived; duplicates are ignored'),
} as const

export const override = verb({
  about: "hold a datapoint at a value, then release it; prints the override's id",
  arguments: [{ name: 'DATAPOINT', about: 'by id or name', completes: 'datapoint' }, { name: 'VALUE' }],
  synopsis: '--for DURATION | --to TIME',
  options: {
    ...COMMAND_FLAGS,
    for: valued('DURATION', 'how long'),
    to: valued('TIME', 'until when'),
    from: valued('TIME', 'start later than now, which queues the override'),
    connection: valued('CONNECTION', 'look for the datapoint on this connection only, by id or name', {
      completes: 'connection',
    }),
    force: flag('send a value outside the envelope, or to an unknown datapoint; limits still hold'),
  },
  json: '{id, reqId, datapointId, value, from, to}',
  examples: ["plantroom dr override 'Charge power' -20 --for 15m"],
  async run(flags, { DATAPOINT, VALUE }) {
    const value = finiteNumber(VALUE, 'VALUE')
    const now = systemClock.now()
    const window = windowOf(flags, now)
    const reqId = reqIdOf(flags)
    const { commands, directory } = await deviceCommands(flags)
    const order = {
      datapoint: DATAPOINT,
      value,
      window,
      reqId,
      connection: flags.connection,
      reason: flags.reason,
      force: flags.force ?? false,
    }
    const warn = (text: string) => note(flags.json, `warning: ${text}`)
    const placed = await placeOverride(order, { commands, directory, warn })
    print(flags.json, placed, () => describeAccepted(placed.id, window, now))
  },
})

export function reqIdOf(flags: { 'req-id'?: string | undefined }): string {
  return flags['req-id'] === undefined ? crypto.randomUUID() : uuid(flags['req-id'], '--req-id')
}
