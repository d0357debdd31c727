import { formatTimestamp } from '@plantroom/contract/timestamp'
import { duration, timestamp } from '../../arguments.ts'
import { UsageError } from '../../command.ts'

/** In milliseconds since 1970, `to` exclusive. */
export interface OverrideWindow {
  from: number
  to: number
}

/** The window that the flags describe, from `now` where they do not say. Whether it makes sense is judged by the device. */
export function windowOf(
  flags: { from?: string | undefined; to?: string | undefined; for?: string | undefined },
  now: number,
): OverrideWindow {
  const from = flags.from === undefined ? now : timestamp(flags.from, '--from')
  if ((flags.for === undefined) === (flags.to === undefined)) {
    throw new UsageError(`say ${flags.for === undefined ? 'how long' : 'one of'}: --for DURATION or --to TIME`)
  }
  const to = flags.for === undefined ? timestamp(flags.to ?? '', '--to') : from + duration(flags.for, '--for')
  return { from, to }
}

/** What a person wants to know of a window that the device has accepted: until when, or from when. */
export function describeAccepted(id: string, { from, to }: OverrideWindow, now: number): string {
  const until = `until ${formatTimestamp(to)}`
  if (from > now) return `queued as ${id} from ${formatTimestamp(from)} ${until} (${formatDuration(to - from)})`
  return `held as ${id} ${until} (${formatDuration(to - now)})`
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
