import { type Clock, sleep, within } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { Connections, Place } from '../connections/connections.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import type { Caller } from './once.ts'

/** How long to wait before equipment that did not say what it holds is read again. */
const READ_AGAIN_MS = 500
/** The time that storing the override and sending the reply may take. */
const REPLY_MS = 1_500

/** The equipment of an override that starts now has not been read since its link came up. */
export class UnreadEquipment extends Failure {}

interface ReadDeps {
  connections: Connections
  arbiter: Pick<Arbiter, 'isCaptured'>
  clock: Clock
}

/** Throws when the equipment has not been read, and nothing else says what to restore. */
export function rejectUnread({ connections, arbiter }: ReadDeps, datapointId: string): void {
  const place = connections.find(datapointId)
  if (!place || place.datapoint.accessType === 'WRITE' || place.datapoint.releaseValue !== undefined) return
  if (place.connection.isKnown(datapointId) || arbiter.isCaptured(datapointId)) return
  throw unread(place, 'its link has just come up')
}

/** Reads the equipment until it says what it holds. Rejects when its link is down, or when the reply is due. */
export async function readEquipment(deps: ReadDeps, datapointId: string, caller: Caller): Promise<void> {
  for (;;) {
    const place = deps.connections.find(datapointId)
    if (!place) return
    if (isDown(place)) throw unread(place, place.connection.error() ?? 'its link is down')
    const reason = await tryReading(place, deps.clock, caller.leftMs() - REPLY_MS)
    if (reason === undefined) return
    if (caller.leftMs() < REPLY_MS + READ_AGAIN_MS) throw unread(place, reason)
    await sleep(deps.clock, READ_AGAIN_MS)
  }
}

/** Returns why the datapoint could not be read in this time; `undefined` when it was. */
async function tryReading({ connection, datapoint }: Place, clock: Clock, ms: number): Promise<string | undefined> {
  let reason: string | undefined = 'it does not answer'
  const reading = connection.read(datapoint.id).then(
    () => {
      reason = undefined
    },
    (failure: Error) => {
      reason = failure.message
    },
  )
  await within(clock, Math.max(0, ms), reading)
  return reason
}

const isDown = ({ connection }: Place) =>
  connection.status() === CONNECTION_STATUS.error || connection.status() === CONNECTION_STATUS.disconnected

function unread({ connection, datapoint }: Place, reason: string): UnreadEquipment {
  const remedy = 'send the command again when it can be read, or let the override start later'
  return new UnreadEquipment(
    'rejected',
    `datapoint ${datapoint.name} on ${connection.config.name} cannot be read (${reason}), so its value could not be restored; nothing was done: ${remedy}`,
  )
}
