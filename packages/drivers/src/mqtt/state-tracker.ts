import { type Clock, sleep } from '@plantroom/base/clock'
import type { Raw, Reading, Writable } from '../driver.ts'
import { createMessageCache, type Message, type MessageCache } from './message-cache.ts'
import { isUndecided, type PlannedPoint, readingOf } from './plan.ts'

/** Knows the state of the equipment from its messages, and waits for messages that are still to come. */
export interface StateTracker {
  readonly cache: MessageCache
  /** Forgets the messages and commands of the last link. */
  clear(): void
  /** Starts the wait for retained messages, which arrive right after the subscription. */
  subscribed(): void
  /** Returns the state; an error if the equipment has sent none since the last command, see `Driver.read`. */
  reading(point: PlannedPoint): Reading
  /** Notes a command right before it is sent. */
  expectStateAfter(point: PlannedPoint, value: Writable): void
  /** Waits until the state of the point is known and shows its last command, or for `waitMs`. */
  settled(point: PlannedPoint | undefined, lost: AbortSignal): Promise<void>
  /** Waits until the availability of the points is known, or for `waitMs`. Throws `lost.reason` if the link is lost. */
  decided(points: readonly PlannedPoint[], lost: AbortSignal): Promise<void>
}

/** @param waitMs the longest wait for a message */
export function createStateTracker(topics: readonly string[], waitMs: number, clock: Clock): StateTracker {
  const cache = createMessageCache(topics)
  const echoes = new Map<PlannedPoint, Echo>()
  let subscribedAt = 0

  function reading(point: PlannedPoint): Reading {
    const shown = readingOf(point, cache.latest, clock.monotonic())
    const echo = echoes.get(point)
    const isOutdated = echo && !echo.wasThere && !isNewer(echo, latestOf(point))
    return isOutdated && ('raw' in shown || shown.image !== undefined) ? { error: NOTHING_SINCE } : shown
  }

  const latestOf = ({ state }: PlannedPoint) => state && cache.latest(state.topic)

  /** Returns until when to wait for a newer state of the point; a time in the past if none is expected. */
  function unsettledUntil(point: PlannedPoint): number {
    const message = latestOf(point)
    const echo = echoes.get(point)
    if (echo && !(isNewer(echo, message) && isShown(echo.value, reading(point)))) return echo.until
    return message ? 0 : subscribedAt + waitMs
  }

  /** Waits for messages on these topics until `until`, which is evaluated again after each message, has passed. */
  async function listenUntil(awaited: readonly string[], lost: AbortSignal, until: () => number): Promise<void> {
    for (;;) {
      const leftMs = until() - clock.monotonic()
      if (leftMs <= 0 || lost.aborted) return
      const received = new AbortController()
      const stops = awaited.map((topic) => cache.listen(topic, () => received.abort()))
      await sleep(clock, leftMs, AbortSignal.any([received.signal, lost]))
      for (const stop of stops) stop()
    }
  }

  return {
    cache,
    clear() {
      cache.clear()
      echoes.clear()
    },
    subscribed() {
      subscribedAt = clock.monotonic()
    },
    reading,
    expectStateAfter(point, value) {
      if (!point.state) return
      const now = clock.monotonic()
      // The equipment may still carry out an earlier command with another value.
      const isPending = !echoes.get(point)?.wasThere && unsettledUntil(point) > now
      echoes.set(point, {
        value,
        after: latestOf(point)?.number ?? 0,
        wasThere: !isPending && isShown(value, reading(point)),
        until: now + waitMs,
      })
    },
    async settled(point, lost) {
      if (point?.state) await listenUntil([point.state.topic], lost, () => unsettledUntil(point))
    },
    async decided(points, lost) {
      const awaited = points.flatMap(({ availabilities }) => availabilities.map(({ topic }) => topic))
      await listenUntil(awaited, lost, () => (isUndecided(points, cache.latest) ? subscribedAt + waitMs : 0))
      lost.throwIfAborted()
    },
  }
}

/** A command whose value the equipment has yet to show in its state. */
interface Echo {
  value: Writable
  /** The number of the last state message before the command; 0 if there was none. */
  after: number
  /** True if the state already had this value and no other command was pending: equipment need not repeat it. */
  wasThere: boolean
  /** The monotonic time at which to stop waiting. */
  until: number
}

/** The longest wait for the state that equipment publishes after a command. */
export const MAX_ECHO_MS = 2_000

const NOTHING_SINCE = 'no state received since the last write'

/** Returns true if the message arrived after the command was sent. */
const isNewer = ({ after }: Echo, message: Message | undefined) => (message?.number ?? 0) > after

function isShown(value: Writable, reading: Reading): boolean {
  if (typeof value === 'object') return reading.image === value.image
  return 'raw' in reading && isSame(reading.raw, value)
}

// Much equipment computes with float32.
const NOISE = 1e-6

function isSame(a: Raw, b: Raw): boolean {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a === b
  const [x, y] = [Number(a), Number(b)]
  return Math.abs(x - y) <= NOISE * Math.max(Math.abs(x), Math.abs(y))
}
