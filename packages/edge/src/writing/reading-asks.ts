import type { ReportedValue } from '@plantroom/contract/reports'
import type { Reading } from '@plantroom/drivers/driver'
import type { Place } from '../connections/connections.ts'
import { plainOf, readingValue, setpointsOf, shows } from './equipment.ts'
import type { Hold, Plain } from './hold.ts'
import type { Progress } from './progress.ts'
import { judge } from './release-hold.ts'
import { beganWatch, watchReading } from './release-watch.ts'

/** Equipment that keeps losing its setpoint, or getting it back after a release, is written no more often than this. */
const DRIFT_MS = 5_000

/** What the reading of a poll asks for. */
export type Asked =
  | { kind: 'nothing' }
  /** The poll says what the last attempt could not read: the next one need not wait for its time. */
  | { kind: 'attempt' }
  /** The equipment has lost its setpoint. */
  | { kind: 'write-again' }
  /** The release has been watched for long enough. */
  | { kind: 'forget' }
  /** A released setpoint has come back. `plain` is what was there in between. */
  | { kind: 'restore-again'; readBack: ReportedValue; plain: Plain | undefined }

const NOTHING: Asked = { kind: 'nothing' }

/** Decides what follows from a reading, which is newer than the last write. Keeps what it saw in `progress`. */
export function readingAsks(
  progress: Progress,
  about: { place: Place; hold: Hold; reading: Reading; now: number },
): Asked {
  const { place, hold, reading, now } = about
  if (hold.restored) return watchAsks(progress, about)
  const { done, unread, restoring, isUnread } = progress
  if (done) return shows(reading, done.value) || !mayWrite(progress, now) ? NOTHING : { kind: 'write-again' }
  if (!hold.plain || unread) return { kind: 'attempt' }
  if (!restoring) return NOTHING
  const verdict = judge(reading, { goal: restoring.value, setpoints: setpointsOf(hold, place) })
  return isUnread || verdict !== 'setpoint' ? { kind: 'attempt' } : NOTHING
}

function watchAsks(
  progress: Progress,
  { place, hold, reading, now }: { place: Place; hold: Hold; reading: Reading; now: number },
): Asked {
  const { next, outcome } = watchReading(progress.watch ?? beganWatch(now), { reading, hold, now })
  progress.watch = next
  if (outcome === 'over') return { kind: 'forget' }
  if (outcome === 'watching' || !mayWrite(progress, now)) return NOTHING
  progress.watch = undefined
  const plain = next.last && plainOf(next.last, hold.recent)
  return { kind: 'restore-again', readBack: readingValue(reading, place.datapoint), plain }
}

function mayWrite(progress: Progress, now: number): boolean {
  if (now - progress.driftedAt < DRIFT_MS) return false
  progress.driftedAt = now
  return true
}
