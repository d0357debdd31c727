import type { Measurement, MeasurementBatch } from '@plantroom/contract/telemetry'

const CONFIRMED_WITHIN_MS = 10_000

/**
 * The measurements of one imitated controller that the cloud has not confirmed. It stores times only: the values of an
 * interval follow from the controller and the time, so a backlog of any length costs no memory.
 */
export interface Outbox {
  /** The oldest interval that is not confirmed; milliseconds since 1970. */
  nextAt: number
  /** The first interval of all. */
  readonly firstAt: number
  /** The batch that waits for its confirmation. `sentAt` is by the monotonic clock. */
  inFlight: { from: number; to: number; sentAt: number } | undefined
}

export interface Rhythm {
  intervalMs: number
  /** The most intervals in one batch. */
  batch: number
  /** How long after the end of an interval the controller sends it. */
  delayMs: number
}

/** Creates the outbox of a controller that has `backlog` intervals to send already. */
export function createOutbox(now: number, { intervalMs }: Rhythm, backlog: number): Outbox {
  const last = Math.floor(now / intervalMs) * intervalMs
  const firstAt = last - (backlog - 1) * intervalMs
  return { nextAt: firstAt, firstAt, inFlight: undefined }
}

/** How many intervals are due and not confirmed. */
export function waiting({ nextAt }: Outbox, { intervalMs, delayMs }: Rhythm, now: number): number {
  return Math.max(0, Math.floor((now - delayMs - nextAt) / intervalMs) + 1)
}

/** What to send now, if anything: the next batch, or the one in flight again when its confirmation is late. */
export function takeDue(
  outbox: Outbox,
  rhythm: Rhythm,
  { now, monotonic }: { now: number; monotonic: number },
): { from: number; to: number; again: boolean } | undefined {
  const { inFlight } = outbox
  if (inFlight) {
    if (monotonic - inFlight.sentAt < CONFIRMED_WITHIN_MS) return undefined
    inFlight.sentAt = monotonic
    return { ...inFlight, again: true }
  }
  const count = Math.min(rhythm.batch, waiting(outbox, rhythm, now))
  if (count === 0) return undefined
  const [from, to] = [outbox.nextAt, outbox.nextAt + (count - 1) * rhythm.intervalMs]
  outbox.inFlight = { from, to, sentAt: monotonic }
  return { from, to, again: false }
}

/** Messages in flight may be lost with the connection, so what is in flight is due at once. */
export function reconnected({ inFlight }: Outbox): void {
  if (inFlight) inFlight.sentAt = Number.NEGATIVE_INFINITY
}

/** Takes a confirmation; returns how many intervals it confirmed. A late one of an earlier batch says nothing. */
export function confirm(outbox: Outbox, { intervalMs }: Rhythm, upTo: number): number {
  const { inFlight } = outbox
  if (inFlight?.to !== upTo) return 0
  outbox.inFlight = undefined
  outbox.nextAt = inFlight.to + intervalMs
  return (inFlight.to - inFlight.from) / intervalMs + 1
}

/** The batch of the intervals `from` to `to`. Its name is the time of its last interval. */
export function batchOf(
  points: { index: number; ids: readonly string[] },
  { from, to, intervalMs }: { from: number; to: number; intervalMs: number },
): MeasurementBatch {
  const measurements: Measurement[] = []
  for (let at = from; at <= to; at += intervalMs) {
    for (const [place, datapointId] of points.ids.entries()) {
      measurements.push({ datapointId, at, value: valueAt(points.index, place, at) })
    }
  }
  return { upTo: to, measurements, gaps: [] }
}

const DAY_MS = 86_400_000

/** The value of a datapoint: a daily curve with noise, to a tenth, as a meter has it. The same whenever it is asked. */
export function valueAt(device: number, place: number, at: number): number {
  const curve = 50 * Math.sin((2 * Math.PI * at) / DAY_MS + device + place)
  const noise = (Math.imul(device * 31 + place + 1, Math.floor(at / 1000) | 1) >>> 24) / 50
  return Math.round((100 * place + curve + noise) * 10) / 10
}
