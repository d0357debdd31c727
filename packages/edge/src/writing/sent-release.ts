import type { Writable } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import { isImage, sameWritten, writableOf } from './equipment.ts'
import type { Hold, Plain } from './hold.ts'
import type { Applied, ApplyDeps } from './write.ts'

/** Continues a release from before a restart, so that it is not sent again over what a person has set since. */
export function resumeRelease({ sent }: Hold, applied: Applied): void {
  if (!sent) return
  applied.restoring ??= { value: writableOf(sent.value), isAcknowledged: sent.isAcknowledged }
}

/** Stores what a release has sent while no reading shows what became of it. A release that succeeds needs no such record. */
export async function keepSent(
  { commits, holds }: ApplyDeps,
  place: Place,
  hold: Hold,
  applied: Applied,
): Promise<void> {
  const { restoring } = applied
  if (!restoring) return
  const { value, isAcknowledged } = restoring
  const { sent } = hold
  if (sent?.isAcknowledged === isAcknowledged && sameWritten(writableOf(sent.value), value)) return
  await commits.record((to) => holds.sent(to, place, hold, { value: plainFrom(value), isAcknowledged }))
}

const plainFrom = (value: Writable): Plain => (isImage(value) ? { raw: null, ...value } : { raw: value })
