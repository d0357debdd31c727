import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { Vtn } from '@plantroom/openadr/vtn'
import { VtnFailure } from '@plantroom/openadr/vtn-failure'
import { type ActivityLog, SYSTEM } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Lease, WorkKind } from '../../platform/work/index.ts'
import { CLEANUPS, type Cleanup, createCleanupStore, type StillNeeded } from './cleanup-store.ts'
import { ASKING_MS, openOnce, type SessionDeps } from './vtn-sessions.ts'

const FIRST_RETRY_MS = 60_000
const LONGEST_RETRY_MS = 6 * 3_600_000
/** A VTN that could not be asked for so long keeps what we made there. */
const GIVE_UP_MS = 7 * 86_400_000

export interface CleanupDeps extends SessionDeps {
  db: Db
  activity: Pick<ActivityLog, 'change'>
  log: Log
}

/** Deletes at VTNs what programs made there that are removed or paused, or have another VTN. */
export const cleanups = (deps: CleanupDeps): WorkKind<'openadr_cleanup', 'id'> => ({
  name: 'openadr-cleanup',
  rows: CLEANUPS,
  atOnce: 8,
  perOrganization: 4,
  run: (lease) => clean(deps, lease),
})

async function clean(deps: CleanupDeps, lease: Lease<'id'>): Promise<void> {
  const { db, clock, log } = deps
  const store = createCleanupStore(db)
  const cleanup = await store.open(lease)
  if (!cleanup) return
  const { programId, createdAt } = cleanup
  try {
    await deleteAll(
      openOnce({ ...cleanup, id: programId }, deps).within(ASKING_MS),
      cleanup,
      await store.needed(cleanup),
    )
    await store.remove(lease)
  } catch (error) {
    if (!(error instanceof VtnFailure || error instanceof Failure)) throw error
    const problem = error.message
    const now = clock.now()
    if (now > createdAt.getTime() + GIVE_UP_MS) {
      log.warn({ programId, problem }, 'gave up deleting what an OpenADR program made at its VTN')
      return giveUp(deps, lease, cleanup, problem)
    }
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(lease.attempts - 1, 20), LONGEST_RETRY_MS)
    await store.retry(lease, new Date(now + waitMs))
  }
}

/** Deletes everything that is not needed. Safe to repeat: what the VTN no longer has is deleted. */
async function deleteAll(vtn: Vtn, cleanup: Cleanup, needed: StillNeeded): Promise<void> {
  const subscriptions = needed.isFollowed ? [] : await subscriptionsOf(vtn, cleanup)
  for (const id of subscriptions) if (!needed.subscriptions.has(id)) await unlessRefused(vtn.unsubscribe(id))
  for (const id of cleanup.resources)
    if (!needed.resources.has(id)) await unlessRefused(vtn.removeResource(cleanup.venId ?? '', id))
}

/** Those that we know, and those whose answer was lost: they call our address. */
async function subscriptionsOf(vtn: Vtn, { settings, subscriptions, notifyToken }: Cleanup): Promise<string[]> {
  const listing = await unlessRefused(vtn.subscriptions(settings.venName))
  const ours = (listing?.items ?? []).filter(({ callbackUrls }) =>
    callbackUrls.some((url) => url.endsWith(`/${notifyToken}`)),
  )
  return [...new Set([...subscriptions, ...ours.map(({ id }) => id)])]
}

/** A VTN that refuses keeps what it has: asking again would change nothing. */
const REFUSALS: ReadonlySet<VtnFailure['kind']> = new Set(['forbidden', 'missing', 'unsupported', 'refused'])

async function unlessRefused<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof VtnFailure && REFUSALS.has(error.kind)) return undefined
    throw error
  }
}

function giveUp({ activity }: CleanupDeps, lease: Lease<'id'>, cleanup: Cleanup, problem: string): Promise<void> {
  const { organizationId, programId, programName, settings } = cleanup
  return activity.change({ actor: SYSTEM }, async (tx, note) => {
    if (!(await createCleanupStore(tx).remove(lease))) return
    note({
      organizationId,
      action: 'openadr-cleanup-failed',
      subject: { kind: 'openadr-program', id: programId, name: programName },
      details: { vtn: new URL(settings.vtnUrl).host, problem },
    })
  })
}
