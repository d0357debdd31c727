import { formatTimestamp } from '@plantroom/contract/timestamp'
import { duration, timestamp } from '../../arguments.ts'
import { UsageError } from '../../command.ts'

/** In milliseconds since 1970, `to` exclusive. */
export interface OverrideWindow {
  from: number
  to: number
}

/** Returns the window that the flags describe; it starts at `now` by default. The device validates it. */
export function windowOf(
  flags: { from?: string | undefined; to?: string | undefined; for?: string | undefined },
  now: number,
): OverrideWindow {
  const from = flags.from === undefined ? now : timestamp(flags.from, '--from')
  if ((flags.for === undefined) === (flags.to === undefined)) {
    const problem = flags.for === undefined ? 'give a duration' : 'give only one'
    throw new UsageError(`${problem}: --for DURATION or --to TIME`)
  }
  const to = flags.for === undefined ? timestamp(flags.to ?? '', '--to') : from + duration(flags.for, '--for')
  return { from, to }
}

/** Describes an override that the device has accepted: until when it is active, or when it starts. */
export function describeAccepted(id: string, { from, to }: OverrideWindow, now: number): string {
  const until = `until ${formatTimestamp(to)}`
  if (from > now)
    return `override ${id} is queued from ${formatTimestamp(from)} ${until} (${formatDuration(to - from)})`
  return `override ${id} is active ${until} (${formatDuration(to - now)})`
}

export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ].filter(([amount]) => amount !== 0)
  return parts.map((part) => part.join(' ')).join(' ') || '0 s'
}
