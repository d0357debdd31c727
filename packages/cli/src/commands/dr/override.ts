import { systemClock } from '@plantroom/base/clock'
import { finiteNumber, uuid } from '../../arguments.ts'
import { deviceCommands } from '../../clients.ts'
import { COMMON_FLAGS, type Command, parse, positionals } from '../../command.ts'
import { connectionOf, knownConnections } from '../../directory.ts'
import { print } from '../../output.ts'
import { describeAccepted, windowOf } from './override-window.ts'
import { placeOverride, withRetryHint } from './place-override.ts'

const FLAGS = { ...COMMON_FLAGS, device: { type: 'string' }, 'req-id': { type: 'string' } } as const

/** `plantroom dr override` */
export const override: Command['run'] = async (args) => {
  const { values: flags, positionals: given } = parse(args, {
    ...FLAGS,
    for: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    connection: { type: 'string' },
    force: { type: 'boolean' },
    reason: { type: 'string' },
  })
  const { DATAPOINT, VALUE } = positionals(given, 'DATAPOINT', 'VALUE')
  const value = finiteNumber(VALUE, 'VALUE')
  const now = systemClock.now()
  const window = windowOf(flags, now)
  const reqId = reqIdOf(flags)
  const { commands, config } = deviceCommands(flags)
  const order = {
    datapoint: DATAPOINT,
    value,
    window,
    reqId,
    reason: flags.reason,
    force: flags.force ?? false,
    connections: flags.connection ? [connectionOf(config, flags.connection)] : knownConnections(config),
    strict: flags.connection !== undefined,
  }
  const warn = (text: string) => console.error(`plantroom dr: warning: ${text}`)
  const placed = await placeOverride(order, { commands, warn })
  print(flags.json, placed, () => describeAccepted(placed.id, window, now))
}

/** `plantroom dr cancel` */
export const cancel: Command['run'] = async (args) => {
  const { values: flags, positionals: given } = parse(args, { ...FLAGS, reason: { type: 'string' } })
  const { ID } = positionals(given, 'ID')
  const reqId = reqIdOf(flags)
  const { commands } = deviceCommands(flags)
  const { success } = await commands.cancel(ID, reqId, flags.reason).catch(withRetryHint(`--req-id ${reqId}`))
  print(flags.json, { id: ID, success, reqId }, () => `override ${ID} is released`)
}

function reqIdOf(flags: { 'req-id'?: string | undefined }): string {
  return flags['req-id'] === undefined ? crypto.randomUUID() : uuid(flags['req-id'], '--req-id')
}
