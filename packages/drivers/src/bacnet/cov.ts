import type { Clock } from '@plantroom/base/clock'
import type { Reading } from '../driver.ts'
import { SERVICE } from './apdu.ts'
import { type Client, Unanswered } from './client.ts'
import type { BacnetPoint } from './config.ts'
import { type Device, isUnknownService, RANK } from './device.ts'
import { encodeSubscribe, type Notification, sameObject } from './services.ts'
import { Malformed } from './tags.ts'
import { isFaulty, toReading } from './values.ts'

const LIFETIME_SECONDS = 300
const RENEW_MS = 120_000
/** A subscription that the device has lost is noticed by then: the point is read, whatever was announced. */
const CHECK_MS = 60_000
/** After a refusal, a device may have room again. */
const RETRY_MS = 600_000
/** Requests of one poll that are about subscriptions, so that a release never waits for many. */
const AT_ONCE = 20

interface Entry {
  processId: number
  point: BacnetPoint
  /** Renewed, or tried again after a refusal, from this time on. */
  dueAt: number
  isSubscribed: boolean
  /** The last state that was announced; `undefined` while only a reading can say what it is. */
  announced: Reading | undefined
  readAt: number
  /** The number of the last write. */
  writtenAt: number
  stopListening: () => void
}

interface CovDeps {
  clock: Clock
  client: Client
  device: Device
  nextProcessId: () => number
}

/** Keeps what a device announces about its points, for as long as it is known to announce it. */
export class Cov {
  readonly #deps: CovDeps
  readonly #entries = new Map<BacnetPoint, Entry>()
  #isOffered = true
  #writes = 0

  constructor(points: readonly BacnetPoint[], deps: CovDeps) {
    this.#deps = deps
    for (const point of points) {
      // A subscription is about the present value.
      if (!point.values) continue
      const processId = deps.nextProcessId()
      const entry: Entry = {
        ...{ processId, point, dueAt: 0, isSubscribed: false, announced: undefined, readAt: 0, writtenAt: 0 },
        stopListening: deps.client.subscribe(processId, (notification) => this.#take(entry, notification)),
      }
      this.#entries.set(point, entry)
    }
  }

  /** Returns the announced state of a point if it need not be read now. */
  current(point: BacnetPoint): Reading | undefined {
    const entry = this.#entries.get(point)
    if (!entry?.isSubscribed || this.#deps.clock.monotonic() - entry.readAt >= CHECK_MS) return undefined
    return entry.announced
  }

  /**
   * Call it before points are read. The returned function records what a reading showed. If nobody announced that, the
   * device has lost the subscription.
   */
  beginRead(): (point: BacnetPoint, reading: Reading) => void {
    const begunAt = this.#writes
    return (point, reading) => {
      const entry = this.#entries.get(point)
      // A write may have overtaken the reading.
      if (!entry || entry.writtenAt > begunAt) return
      if (entry.announced && JSON.stringify(entry.announced) !== JSON.stringify(reading)) entry.dueAt = 0
      entry.announced = reading
      entry.readAt = this.#deps.clock.monotonic()
    }
  }

  /** From now on, what was announced about a point is older than a write. */
  noteWrite(point: BacnetPoint): void {
    const entry = this.#entries.get(point)
    if (!entry) return
    this.#writes += 1
    entry.writtenAt = this.#writes
    entry.announced = undefined
  }

  /** Subscribes and renews what is due. */
  async maintain(): Promise<void> {
    const now = this.#deps.clock.monotonic()
    const due = [...this.#entries.values()].filter(({ dueAt }) => dueAt <= now)
    for (const entry of due.slice(0, AT_ONCE)) {
      if (!this.#isOffered) return
      await this.#subscribe(entry)
    }
  }

  async #subscribe(entry: Entry): Promise<void> {
    const { device, clock } = this.#deps
    const { processId, point } = entry
    const data = encodeSubscribe({ processId, object: point.object, lifetimeSeconds: LIFETIME_SECONDS })
    try {
      const answer = await device.inTurn(RANK.poll, () => device.question(SERVICE.subscribeCov, data))
      const isRefused = 'refused' in answer
      if (isRefused && isUnknownService(answer.refused)) this.#isOffered = false
      entry.isSubscribed = !isRefused
      entry.dueAt = clock.monotonic() + (isRefused ? RETRY_MS : RENEW_MS)
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error
      // The next poll finds out whether the device is there.
      entry.isSubscribed = false
      entry.dueAt = clock.monotonic() + RENEW_MS
    }
  }

  /** Stops listening. Announcements that still come are refused: the device then forgets the subscription. */
  close(): void {
    for (const { stopListening } of this.#entries.values()) stopListening()
  }

  #take(entry: Entry, { object, found }: Notification): void {
    if (!sameObject(object, entry.point.object)) throw new Malformed('announces another object')
    // A state from before a write may still be on its way, and only a reading names a fault.
    if (!entry.announced) return
    entry.announced = isFaulty(found) ? undefined : toReading(entry.point, found)
  }
}
