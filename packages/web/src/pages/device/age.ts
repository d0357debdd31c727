import type { LiveDevice } from '@plantroom/contract/control-state'
import { CONNECTION_STATUS, type ConnectionStatus } from '@plantroom/contract/values'
import { duration } from '../../parts/time.ts'
import { device as texts } from '../../texts/device.ts'

/** Equipment that speaks by itself is read when it does: a younger value says nothing bad. */
const OLD_AFTER_MS = 120_000

/** Nothing came for so long from a stream that brings something every two seconds. */
export const SILENT_AFTER_MS = 15_000

/** What the device's clock shows now: as it did when it was heard, and the time since. The clock of whoever looks may be wrong. */
export function deviceNow(device: Pick<LiveDevice, 'at'> | undefined, heardAt: number, now: number): number {
  return device ? Date.parse(device.at) + Math.max(0, now - heardAt) : now
}

/** Such as `3 s ago`, and in words when it is not to be relied on. */
export function ageWords(
  timestamp: string | undefined,
  { now, status, isLost }: { now: number; status: ConnectionStatus | undefined; isLost: boolean },
): { text: string; isOld: boolean } {
  if (timestamp === undefined) return { text: texts.neverHeard, isOld: true }
  const age = now - Date.parse(timestamp)
  if (Number.isNaN(age)) return { text: texts.neverHeard, isOld: true }
  const ago = age < 1000 ? texts.justNow : texts.ago(duration(age))
  if (isLost || status !== CONNECTION_STATUS.connected) return { text: texts.lastKnown(ago), isOld: true }
  return age > OLD_AFTER_MS ? { text: texts.oldValue(ago), isOld: true } : { text: ago, isOld: false }
}
