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

  const reading = (point: PlannedPoint) => readingOf(point, cache.latest, clock.monotonic())

  /** Returns until when to wait for a newer state of the point; a time in the past if none is expected. */
  function unsettledUntil(point: PlannedPoint, topic: string): number {
    const message = cache.latest(topic)
    const echo = echoes.get(point)
    if (echo && !isEchoed(echo, message, reading(point))) return echo.until
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
      const pending = unsettledUntil(point, point.state.topic) > clock.monotonic()
      const about = { pending, until: clock.monotonic() + waitMs }
      echoes.set(point, expectEcho(value, cache.latest(point.state.topic), reading(point), about))
    },
    async settled(point, lost) {
      if (!point?.state) return
      const { topic } = point.state
      await listenUntil([topic], lost, () => unsettledUntil(point, topic))
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

/** Returns true if the state shows the command's value. A state from before the command does not count. */
function isEchoed(echo: Echo, message: Message | undefined, reading: Reading): boolean {
  const isNew = (message?.number ?? 0) > echo.after
  return (isNew || echo.wasThere) && isShown(echo.value, reading)
}

function expectEcho(
  value: Writable,
  message: Message | undefined,
  reading: Reading,
  { pending, until }: { pending: boolean; until: number },
): Echo {
  const wasThere = !pending && isShown(value, reading)
  return { value, after: message?.number ?? 0, wasThere, until }
}

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
