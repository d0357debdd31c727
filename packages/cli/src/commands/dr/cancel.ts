import { createCommands } from '@plantroom/client/commands'
import { type DeviceClient, deviceClient } from '../../clients.ts'
import { verb } from '../../declare.ts'
import { print, printable } from '../../output.ts'
import { readOverrides } from './list.ts'
import { COMMAND_FLAGS, reqIdOf } from './override.ts'
import { withRetryHint } from './place-override.ts'
import { onlyOverrideOn } from './placed-overrides.ts'

export const cancel = verb({
  about: 'release an override now; safe to repeat',
  arguments: [{ name: 'OVERRIDE', about: 'by id, or by the name of its datapoint', completes: 'datapoint' }],
  options: COMMAND_FLAGS,
  json: '{id, success, reqId}; with the admin token {id, success, pending}',
  examples: ["plantroom dr cancel 'Charge power'"],
  async run(flags, { OVERRIDE }) {
    const reqId = reqIdOf(flags)
    const device = await deviceClient(flags)
    const id = await overrideId(device, OVERRIDE)
    const { client, orgId, deviceId } = device
    if (device.secret === 'token') {
      const { pending } = await client.releaseOverride({ orgId, deviceId, overrideId: id, body: reasonOf(flags) })
      const text = pending ? 'is cancelled as soon as the device is back' : 'is cancelled'
      print(flags.json, { id, success: true, pending }, () => `override ${printable(id)} ${text}`)
      return
    }
    const commands = createCommands(client, device)
    const { success } = await commands.cancel(id, reqId, flags.reason).catch(withRetryHint(`--req-id ${reqId}`))
    print(flags.json, { id, success, reqId }, () => `override ${printable(id)} is cancelled`)
  },
})

const reasonOf = ({ reason }: { reason?: string | undefined }) => (reason === undefined ? {} : { reason })

/** Returns the id of an override that was given by id, or by the id or name of its datapoint. */
async function overrideId(device: DeviceClient, given: string): Promise<string> {
  if (given.startsWith('ovr_')) return given
  const overrides = await readOverrides(device, { id: device.deviceId, name: device.deviceId })
  // Early controllers had other ids.
  if (overrides.some(({ id }) => id === given)) return given
  return onlyOverrideOn({ id: device.directory.datapointId(given), name: given }, overrides)
}
