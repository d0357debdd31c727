import { CLOSE_OUTCOMES, type CloseOutcome } from '@plantroom/contract/commands'
import { type Administration, administration } from '../../clients.ts'
import { COMMON_FLAGS, required, UsageError, valued } from '../../command.ts'
import type { Flags } from '../../config.ts'
import { command, verb } from '../../declare.ts'
import { createDirectory } from '../../directory.ts'
import { listDevices, type Named } from '../../names.ts'
import { note, print, printable } from '../../output.ts'
import { formatDuration } from '../dr/override-window.ts'
import { readEveryDevice } from './every-device.ts'
import { holdsTable, listHolds } from './hold-list.ts'
import { readState } from './live-state.ts'

const DEVICE = { name: 'DEVICE', about: 'by id or name', completes: 'device' } as const

/** What is known of a device that does not answer. */
const SILENT =
  'if only its connection is down, it ends its overrides on time; if it has no power, its equipment stays as it is, unless it has a failsafe: go there'

export const hold = command('hold', {
  group: 'administer',
  about: 'see what controllers hold, and close what it cannot restore',
  notes: `The states: reading (the value before is not read yet, so nothing is written), waiting (for the limits of the datapoint), writing, holding (a reading shows the value), releasing (no reading shows the value before yet) and stuck (the controller cannot restore it).
A hold lives on its controller: closing one needs the controller online. Nothing is written; set the equipment by hand first.`,
  verbs: {
    list: verb({
      about: 'list what devices hold: state, what is wanted, what was read last, and what is wrong',
      arguments: [{ ...DEVICE, about: 'by id or name; all of the organization by default', optional: true }],
      options: COMMON_FLAGS,
      json: '{deviceId, device, live, ageSeconds, holds: [{datapointId, name, state, by, value, until, lastRead, lastReadAt, trouble, troubleReason}]}; without DEVICE a list of these',
      async run(flags, given) {
        const { client, config, orgId, deviceId: resolve } = await administration(flags)
        const deviceId = given.DEVICE === undefined ? undefined : await resolve(given.DEVICE)
        const read = (device: Named) => readHolds({ client, config, orgId, json: flags.json }, device)
        const devices = await listDevices(client, orgId)
        if (deviceId === undefined) {
          const all = await readEveryDevice(devices, flags.json, read)
          print(
            flags.json,
            all.map(({ result }) => result),
            () => holdsTable(all.flatMap(({ rows }) => rows)),
          )
          return
        }
        const name = devices.find(({ id }) => id === deviceId)?.name ?? deviceId
        const { result, rows } = await read({ id: deviceId, name })
        print(flags.json, result, () => holdsTable(rows))
      },
    }),
    close: verb({
      about: 'close a hold that the device cannot restore; nothing is written to the equipment',
      arguments: [DEVICE, { name: 'DATAPOINT', about: 'by id or name', completes: 'datapoint' }],
      synopsis: `--outcome ${CLOSE_OUTCOMES.join('|')} --reason TEXT`,
      options: {
        ...COMMON_FLAGS,
        outcome: valued('OUTCOME', 'what became of the equipment: a person has set it back, or it stays as it is', {
          choices: CLOSE_OUTCOMES,
        }),
        reason: valued('TEXT', 'why, kept in the audit and the activity log, up to 200 characters'),
      },
      json: '{deviceId, datapointId, outcome, readBack}',
      examples: [
        "plantroom hold close 'Boiler room' 'Flow temperature' --outcome restored-by-hand --reason 'set to 21 at the panel'",
      ],
      async run(flags, given) {
        const outcome = outcomeOf(required(flags.outcome, `--outcome ${CLOSE_OUTCOMES.join('|')}`))
        const reason = required(flags.reason?.trim(), '--reason TEXT')
        const { client, orgId, deviceId, directory } = await target(flags, given.DEVICE)
        const datapointId = directory.datapointId(given.DATAPOINT)
        const { readBack } = await client.closeHold({ orgId, deviceId, datapointId, body: { outcome, reason } })
        print(flags.json, { deviceId, datapointId, outcome, readBack }, () => {
          const name = printable(directory.datapointNames().get(datapointId) ?? datapointId)
          const unit = directory.units().get(datapointId)
          const read = readBack === null ? 'nothing' : [readBack, unit].filter(Boolean).join(' ')
          return `the hold of ${name} is closed (${outcome}); the device read ${read} last`
        })
      },
    }),
  },
})

/** Reads what one device holds, with the units of the values, and notes how old that is. */
async function readHolds(
  { client, config, orgId, json }: Pick<Administration, 'client' | 'config' | 'orgId'> & Pick<Flags, 'json'>,
  device: Named,
) {
  const directory = createDirectory({ client, operator: client, orgId })
  await directory.learn([device.id])
  const { state, silence } = await readState(config, 'token', { orgId, deviceId: device.id })
  if (silence) {
    const age = formatDuration(silence.ageMs)
    note(json, `${printable(device.name)} does not answer, and this is its last known state, ${age} old; ${SILENT}`)
  }
  const holds = listHolds(state, directory.datapointNames())
  const ageSeconds = silence ? Math.round(silence.ageMs / 1000) : 0
  const result = { deviceId: device.id, device: device.name, live: silence === undefined, ageSeconds, holds }
  const units = directory.units()
  return { result, rows: holds.map((hold) => ({ ...hold, device: device.name, unit: units.get(hold.datapointId) })) }
}

/** Returns the device and what is commissioned on it. */
async function target(flags: Flags, given: string) {
  const { client, orgId, deviceId: resolve } = await administration(flags)
  const deviceId = await resolve(given)
  const directory = createDirectory({ client, operator: client, orgId })
  await directory.learn([deviceId])
  return { client, orgId, deviceId, directory }
}

function outcomeOf(text: string): CloseOutcome {
  const outcome = CLOSE_OUTCOMES.find((one) => one === text)
  if (outcome) return outcome
  throw new UsageError(`--outcome must be one of ${CLOSE_OUTCOMES.join(', ')}, not ${printable(text)}`)
}
