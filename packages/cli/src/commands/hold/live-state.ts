import { pathOf } from '@plantroom/client/client'
import { readEvents, type ServerEvent } from '@plantroom/client/events'
import type { LiveDevice } from '@plantroom/contract/control-state'
import type { CliConfig } from '../../config.ts'

/** The state of a device: live, or the last one that the service knows, with its age. */
export interface ReadState {
  state: LiveDevice
  /** `undefined` while the device answers. */
  silence: { ageMs: number; message: string } | undefined
}

/** Reads the state of a device with the API key or the admin token. */
export function readState(
  { url, apiKey, adminToken }: Pick<CliConfig, 'url' | 'apiKey' | 'adminToken'>,
  secret: 'key' | 'token',
  device: { orgId: string; deviceId: string },
): Promise<ReadState> {
  const headers: Record<string, string> =
    secret === 'key' ? { 'x-api-key': apiKey ?? '' } : { authorization: `Bearer ${adminToken}` }
  const path = pathOf('followDevice', { ...device, query: { fresh: 'true' } })
  return firstState(readEvents(url, path, headers))
}

/** Returns the first state that the live stream of a device has. Throws when the service never had one. */
export async function firstState(events: AsyncIterable<ServerEvent>): Promise<ReadState> {
  let known: { ageMs: number; state: LiveDevice } | undefined
  for await (const { name, data } of events) {
    if (name === 'state') return { state: data as LiveDevice, silence: undefined }
    if (name === 'last-known') known = data as typeof known
    if (name !== 'offline') continue
    const { message } = data as { message: string }
    if (!known) throw new Error(`the device has never sent its state, and does not answer: ${message}`)
    return { state: known.state, silence: { ageMs: known.ageMs, message } }
  }
  throw new Error('the service ended the stream before the device answered: try again')
}
