import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { WorkKind } from './kind.ts'
import { type LeasedRows, settle } from './leased-rows.ts'
import { type RunningWork, startWork, type WorkDeps } from './work.ts'

/** Something that is to be done again and again, by one process at a time. */
export interface Duty {
  /** Unique among all programs. Its row says when it is due next, also after a restart. */
  name: string
  everyMs: number
  /** The longest wait after failures; `everyMs` unless given. */
  longestRetryMs?: number
  /** `more`: something is left, so the next run does not wait. Heeds `signal`, which aborts when the process stops. */
  run(signal: AbortSignal): Promise<'more' | undefined>
}

export const DUTIES: LeasedRows<'duty', 'name'> = { table: 'duty', key: ['name'], waiting: sql`true` }

/** A duty that removes what is no longer kept, and logs how much. */
export const sweep = (
  { log }: Pick<WorkDeps, 'log'>,
  { name, everyMs, what, remove }: { name: string; everyMs: number; what: string; remove(): Promise<number> },
): Duty => ({
  name,
  everyMs,
  async run() {
    const removed = await remove()
    if (removed > 0) log.info({ removed }, `removed ${what}`)
    return undefined
  },
})

/** What failed is tried again after this long, doubled each time, but no later than it would be due anyway. */
const FIRST_RETRY_MS = 1_000

/** Runs duties until they are stopped. Several processes may have the same ones. */
export async function startDuties(deps: WorkDeps, duties: readonly Duty[]): Promise<RunningWork> {
  await addDuties(deps.db, duties)
  return startWork(deps, kindOf(deps, duties))
}

function kindOf({ db, clock, log }: WorkDeps, duties: readonly Duty[]): WorkKind<'duty', 'name'> {
  const names = duties.map(({ name }) => name)
  return {
    name: 'duty',
    rows: { ...DUTIES, ready: () => sql`item.name = ANY(${names}::text[])` },
    // They belong to no organization, and none waits for another.
    atOnce: duties.length,
    perOrganization: duties.length,
    async run(lease, { stopping }) {
      const duty = duties.find(({ name }) => name === lease.name)
      if (!duty) return
      const dueIn = (ms: number) => ({ due_at: new Date(clock.now() + ms) })
      try {
        const left = await duty.run(stopping)
        await settle(db, DUTIES, lease, { ...dueIn(left === 'more' ? 0 : duty.everyMs), attempts: 0 })
      } catch (error) {
        if (stopping.aborted) return void (await settle(db, DUTIES, lease, dueIn(0)))
        const retryMs = Math.min(
          FIRST_RETRY_MS * 2 ** Math.min(lease.attempts - 1, 20),
          duty.longestRetryMs ?? duty.everyMs,
        )
        // Once for an outage, however long it lasts.
        const level = lease.attempts === 1 ? 'warn' : 'debug'
        log[level]({ duty: duty.name, error: reasonOf(error) }, 'a duty failed; retrying')
        await settle(db, DUTIES, lease, dueIn(retryMs))
      }
    },
  }
}

async function addDuties(db: Db, duties: readonly Duty[]): Promise<void> {
  await sql`
    INSERT INTO duty (name) SELECT unnest(${duties.map(({ name }) => name)}::text[])
    ON CONFLICT (name) DO NOTHING`.execute(db)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
