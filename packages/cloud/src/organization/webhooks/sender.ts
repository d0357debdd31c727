import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { ATTEMPT_MS, type DeliverDeps, deliver } from './deliver.ts'
import type { ClaimedDelivery, DeliveryStore } from './delivery-store.ts'

const LOOK_MS = 1_000
/** Far longer than an attempt: a worker that exceeds it is dead. */
const LEASE_MS = 6 * ATTEMPT_MS
const DAY_MS = 86_400_000
const KEPT_MS = 30 * DAY_MS
const SWEEP_MS = 3_600_000

/** At the same time in one worker. A slow receiver fills its own places, and a tenant with many of them those of the tenant. */
export const MOST_AT_ONCE = { all: 32, organization: 6, webhook: 2 }

interface SenderDeps extends DeliverDeps {
  store: DeliveryStore
  clock: Clock
  log: Log
}

/** What a worker sends at the moment. */
interface Running {
  add(delivery: ClaimedDelivery, sending: Promise<void>): void
  readonly count: number
  busyWebhooks(): string[]
  busyOrganizations(): string[]
  /** Resolves when one is done. */
  one(): Promise<void>
  all(): Promise<unknown>
}

function createRunning(): Running {
  const running = new Map<Promise<void>, ClaimedDelivery>()
  const full = (key: 'webhookId' | 'organizationId', most: number) => {
    const counts = new Map<string, number>()
    for (const delivery of running.values()) counts.set(delivery[key], (counts.get(delivery[key]) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= most).map(([id]) => id)
  }
  return {
    add(delivery, sending) {
      const done = sending.finally(() => running.delete(done))
      running.set(done, delivery)
    },
    get count() {
      return running.size
    },
    busyWebhooks: () => full('webhookId', MOST_AT_ONCE.webhook),
    busyOrganizations: () => full('organizationId', MOST_AT_ONCE.organization),
    one: () => Promise.race(running.keys()),
    all: () => Promise.all(running.keys()),
  }
}

/** Starts deliveries that are due until no place is free or nothing is due. Returns how many it started. */
async function startDue(deps: SenderDeps, running: Running, signal: AbortSignal): Promise<number> {
  const { store, clock, log } = deps
  let started = 0
  while (running.count < MOST_AT_ONCE.all && !signal.aborted) {
    const now = clock.now()
    const delivery = await store.claim({
      now: new Date(now),
      until: new Date(now + LEASE_MS),
      busyWebhooks: running.busyWebhooks(),
      busyOrganizations: running.busyOrganizations(),
    })
    if (!delivery) break
    const sending = deliver(deps, delivery).catch((error: Error) =>
      log.warn({ delivery: delivery.id, error: error.message }, 'could not record a delivery; it is sent again'),
    )
    running.add(delivery, sending)
    started += 1
  }
  return started
}

/** Sends everything that is due, and waits for it. */
export async function sendDue(deps: SenderDeps, signal = new AbortController().signal): Promise<number> {
  const running = createRunning()
  let sent = 0
  for (;;) {
    sent += await startDue(deps, running, signal)
    if (running.count === 0) return sent
    await running.one()
  }
}

/** Delivers until `stop` is called, which waits for running attempts. Several workers may run it at the same time. */
export function startSender(deps: SenderDeps): { stop(): Promise<void> } {
  const { store, clock, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const running = createRunning()

  async function run(): Promise<void> {
    let sweepAt = clock.monotonic()
    while (!signal.aborted) {
      try {
        if (clock.monotonic() >= sweepAt) {
          sweepAt = clock.monotonic() + SWEEP_MS
          await store.removeBefore(new Date(clock.now() - KEPT_MS))
        }
        await startDue(deps, running, signal)
      } catch (error) {
        log.warn({ error: (error as Error).message }, 'could not read the deliveries of webhooks; retrying')
      }
      await nextTurn()
    }
    await running.all()
  }

  // A place that becomes free is used at once, and new deliveries are looked for every second.
  async function nextTurn(): Promise<void> {
    const woken = new AbortController()
    const stop = () => woken.abort()
    signal.addEventListener('abort', stop)
    const pause = sleep(clock, LOOK_MS, woken.signal)
    await (running.count > 0 ? Promise.race([pause, running.one()]) : pause)
    woken.abort()
    signal.removeEventListener('abort', stop)
  }

  const ended = run()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}
