import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import { isStorable } from '../../platform/db/storable-text.ts'
import { createGroupWriter } from '../../platform/work/index.ts'
import { readReplyIfValid } from './ask.ts'
import type { Dispatch } from './dispatch.ts'
import type { OverrideOwner, OverrideOwnerStore } from './override-owner-store.ts'

/** While the database does not answer. Beyond it, the audit hides the ids of further overrides from their keys. */
const MAX_WAITING = 100_000

/** Remembers who placed each override, for the audit. */
export interface OverrideOwners {
  /** Sends commands like `dispatch`, and remembers the caller of each override that a device accepts. */
  dispatch: Dispatch
  /** Resolves when everything is stored, or the database does not answer. */
  close(): Promise<void>
}

/** Stores owners after the reply, because an override must neither wait for the database nor fail with it. */
export function createOverrideOwners(deps: {
  dispatch: Dispatch
  store: Pick<OverrideOwnerStore, 'add'>
  clock: Clock
  log: Log
}): OverrideOwners {
  const { dispatch, store, clock, log } = deps
  const what = 'who placed an override'
  const writer = createGroupWriter<OverrideOwner>({ write: store.add, what, most: MAX_WAITING, clock, log })

  return {
    dispatch(deviceId, command, request, options) {
      const reply = dispatch(deviceId, command, request, options)
      if (command !== 'demandResponseOverride') return reply
      return reply.then((bytes) => {
        const owner = ownerOf(deviceId, request, bytes)
        if (owner) writer.add(owner)
        return bytes
      })
    },
    close: writer.close,
  }
}

/** Reads the owner from a command and its reply; `undefined` when the device sent no usable id. */
function ownerOf(deviceId: string, { keyId, data }: Parameters<Dispatch>[2], reply: Buffer): OverrideOwner | undefined {
  const endsAt = parseTimestamp(String(data.to))
  const overrideId = readReplyIfValid('demandResponseOverride', reply)?.id
  if (endsAt === undefined || !isStorable(overrideId)) return undefined
  return { deviceId, overrideId, placedBy: keyId, endsAt: new Date(endsAt) }
}
