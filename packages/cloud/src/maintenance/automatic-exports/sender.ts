import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { type DeliverDeps, deliver, LEASE_MS } from './deliver.ts'
import type { ClaimedDelivery } from './delivery-store.ts'
import { createRunStore } from './run-store.ts'
import { type SchedulerDeps, schedule } from './scheduler.ts'

const LOOK_MS = 1_000
const SWEEP_MS = 3_600_000
/** How long the history keeps runs. */
const KEPT_MS = 400 * 86_400_000
/** At the same time in one worker: a slow target fills the places of its own organization. */
const MOST_AT_ONCE = { all: 6, organization: 2 }

export interface AutomaticExportDeps extends SchedulerDeps, DeliverDeps {
  clock: Clock
  log: Log
}

type Running = Map<Promise<void>, ClaimedDelivery>

/** Starts deliveries that are due until no place is free or nothing is due. */
async function startDue(deps: AutomaticExportDeps, running: Running, stopping: AbortSignal): Promise<void> {
  const { store, clock, log } = deps
  while (running.size < MOST_AT_ONCE.all && !stopping.aborted) {
    const now = clock.now()
    const until = new Date(now + LEASE_MS)
    const delivery = await store.claim({ now: new Date(now), until, busyOrganizations: busy(running) })
    if (!delivery) return
    const done = deliver(deps, delivery, stopping)
      .catch((error: Error) =>
        log.warn({ run: delivery.runId, error: error.message }, 'could not record a delivery; it is sent again'),
      )
      .finally(() => running.delete(done))
    running.set(done, delivery)
  }
}

function busy(running: Running): string[] {
  const counts = new Map<string, number>()
  for (const { organizationId } of running.values()) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= MOST_AT_ONCE.organization).map(([id]) => id)
}

/** Looks once, and waits for the deliveries that it started. For tests. */
export async function runOnce(deps: AutomaticExportDeps, stopping = new AbortController().signal): Promise<void> {
  await schedule(deps)
  const running: Running = new Map()
  for (;;) {
    await startDue(deps, running, stopping)
    if (running.size === 0) return schedule(deps)
    await Promise.race(running.keys())
  }
}

/** Exports and delivers until `stop` is called. Several workers may run it at the same time. */
export function startAutomaticExports(deps: AutomaticExportDeps): { stop(): Promise<void> } {
  const { db, clock, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const running: Running = new Map()

  async function run(): Promise<void> {
    let sweepAt = clock.monotonic()
    while (!signal.aborted) {
      try {
        if (clock.monotonic() >= sweepAt) {
          sweepAt = clock.monotonic() + SWEEP_MS
          await createRunStore(db).removeBefore(new Date(clock.now() - KEPT_MS))
        }
        await schedule(deps)
        await startDue(deps, running, signal)
      } catch (error) {
        log.warn({ error: (error as Error).message }, 'could not look for automatic exports; retrying')
      }
      await sleep(clock, LOOK_MS, signal)
    }
    await Promise.all(running.keys())
  }

  const ended = run()
  return {
    stop() {
      stopping.abort(new Error('the worker is stopping'))
      return ended
    },
  }
}
