import type { JobName } from '@plantroom/contract/jobs'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { describeWork } from '../work/testing/describe-work.ts'
import { addJob, hasClaim, LEASE_MS, lockOrganization, requireClaim } from './claim-store.ts'
import { createJobStore } from './job-store.ts'
import { acceptJob, settleJob } from './queue.ts'
import { claimNext, renewLease } from './testing/attempts.ts'
import { log, openJobBench, TEST_KINDS } from './testing/job-bench.ts'
import { jobKind } from './worker.ts'

const output = { message: 'done' }

async function openBench() {
  const bench = await openJobBench()
  const deps = { db: bench.db, kinds: TEST_KINDS, retryDelayS: 60 }
  const claim = (name: JobName = 'TICKET_IMPORT') => claimNext(deps, name, 'worker_1')
  return { ...bench, deps, claim }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('expected a value')
  return value
}

describe('a job', () => {
  test('goes from SCHEDULED with no attempts through RUNNING with one to SUCCESS with its output', async () => {
    const { accept, claim, job, deps } = await openBench()
    const id = await accept('PREVIEW_TICKET_IMPORT', 'a.fpl')
    expect(await job(id)).toEqual({
      id,
      name: 'PREVIEW_TICKET_IMPORT',
      filename: 'a.fpl',
      status: 'SCHEDULED',
      resolved: false,
      retryCount: 0,
      maxAttempts: 1,
      scheduled: expect.stringMatching(/Z$/),
      output: null,
      progress: null,
      startedBy: null,
    })
    const claimed = required(await claim('PREVIEW_TICKET_IMPORT'))
    expect(await job(id)).toMatchObject({ status: 'RUNNING', retryCount: 1, resolved: false })
    expect(await renewLease(deps.db, claimed, { stage: 'checking', done: 1, total: 2 })).toBe(true)
    expect(await job(id)).toMatchObject({ progress: { stage: 'checking', done: 1, total: 2 } })
    await settleJob(deps, claimed, { kind: 'done', output })
    expect(await job(id)).toMatchObject({ status: 'SUCCESS', retryCount: 1, resolved: true, output })
    expect(await claim('PREVIEW_TICKET_IMPORT')).toBeUndefined()
  })

  test('counts as waiting from when it is due until a worker has it, and again when its lease expires', async () => {
    const { accept, claim, deps, expireLeases } = await openBench()
    const { longestWait } = createJobStore(deps.db, TEST_KINDS)
    expect(await longestWait()).toBe(0)
    await accept('TICKET_IMPORT', 'a.fpl')
    await sql`UPDATE job SET due_at = now() - interval '1 hour'`.execute(deps.db)
    expect(Math.floor((await longestWait()) / 60)).toBe(60)
    const claimed = required(await claim())
    expect(await longestWait()).toBe(0)
    await expireLeases()
    expect(await longestWait()).toBeGreaterThan(0)
    await settleJob(deps, claimed, { kind: 'done', output })
    expect(await longestWait()).toBe(0)
    await accept('TICKET_IMPORT', 'b.fpl')
    await sql`UPDATE job SET due_at = now() + interval '1 hour'`.execute(deps.db)
    expect(await longestWait()).toBe(0)
  })

  test.each(['fails', 'dies'])('that has done all of its work before its process %s is a success', async (how) => {
    const { accept, claim, job, deps, expireLeases } = await openBench()
    const findFinished = async () => output
    const kinds = { ...TEST_KINDS, TICKET_IMPORT: { ...TEST_KINDS.TICKET_IMPORT, maxAttempts: 1, findFinished } }
    const finished = { ...deps, kinds }
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    await deps.db.updateTable('job').set({ max_attempts: 1 }).execute()
    const claimed = required(await claim())
    if (how === 'fails') await settleJob(finished, claimed, { kind: 'failed', message: 'why', final: true })
    else {
      await expireLeases()
      expect(await claimNext(finished, 'TICKET_IMPORT', 'worker_2')).toBeUndefined()
    }
    expect(await job(id)).toMatchObject({ status: 'SUCCESS', resolved: true, output })
  })

  test('waits for its next attempt as unresolved ERROR after a failure', async () => {
    const { accept, claim, job, deps, makeDue } = await openBench()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    for (const attempt of [1, 2, 3]) {
      const claimed = required(await claim())
      expect(await job(id)).toMatchObject({ status: 'RUNNING', retryCount: attempt })
      await settleJob(deps, claimed, { kind: 'failed', message: 'why', final: false })
      expect(await job(id)).toMatchObject({ status: 'ERROR', resolved: attempt === 3, retryCount: attempt })
      expect(await claim()).toBeUndefined()
      await makeDue()
    }
    expect(await claim()).toBeUndefined()
    expect(await job(id)).toMatchObject({ output: { message: 'why' } })
  })

  test('is due again after the retry delay', async () => {
    const { accept, claim, deps, db } = await openBench()
    await accept('TICKET_IMPORT', 'a.fpl')
    await settleJob(deps, required(await claim()), { kind: 'failed', message: 'why', final: false })
    const { rows } = await sql<{ delay: number }>`
      SELECT extract(epoch FROM due_at - now())::float AS delay FROM job`.execute(db)
    expect(rows[0]?.delay).toBeGreaterThan(30)
    expect(rows[0]?.delay).toBeLessThanOrEqual(60)
  })

  test('has the time of its first start and, once it is resolved, of its end', async () => {
    const { accept, claim, deps, makeDue } = await openBench()
    await accept('TICKET_IMPORT', 'a.fpl')
    const times = () => deps.db.selectFrom('job').select(['started_at', 'finished_at']).executeTakeFirstOrThrow()
    expect(await times()).toEqual({ started_at: null, finished_at: null })
    await settleJob(deps, required(await claim()), { kind: 'failed', message: 'why', final: false })
    const first = await times()
    expect(first).toEqual({ started_at: expect.any(Date), finished_at: null })
    await makeDue()
    await settleJob(deps, required(await claim()), { kind: 'done', output })
    expect(await times()).toEqual({ started_at: first.started_at, finished_at: expect.any(Date) })
  })

  test('keeps its output when it contains characters that no column can store', async () => {
    const { accept, claim, job, deps } = await openBench()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    const claimed = required(await claim())
    await settleJob(deps, claimed, { kind: 'failed', message: 'a\0b\ud800', final: true })
    expect(await job(id)).toMatchObject({ resolved: true, output: { message: 'a\ufffdb\ufffd' } })
  })

  test('ignores progress reported after its end', async () => {
    const { accept, claim, job, deps, db } = await openBench()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    const claimed = required(await claim())
    const progress = { stage: 'importing', done: 2, total: 2 }
    await settleJob(deps, claimed, { kind: 'done', output }, progress)
    expect(await renewLease(db, claimed, { stage: 'importing', done: 1, total: 2 })).toBe(false)
    expect(await job(id)).toMatchObject({ status: 'SUCCESS', progress })
  })

  test('is not accepted when its transaction fails', async () => {
    const { accept, claim, store, siteId } = await openBench()
    await expect(accept('TICKET_IMPORT', 'a.fpl', 'site_none')).rejects.toThrow(/foreign key/)
    expect(await claim()).toBeUndefined()
    expect(await store.list({ siteId, limit: 10 })).toEqual({ items: [], next: null })
  })
})

describe('a claim', () => {
  test('goes to one of many workers asking at the same time', async () => {
    const { accept, claim } = await openBench()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim()))
    expect(claims.flatMap((job) => job?.id ?? [])).toEqual([id])
  })

  test('goes to the job that has been due for longest', async () => {
    const { accept, claim } = await openBench()
    const ids: string[] = []
    for (const name of ['a.fpl', 'b.fpl', 'c.fpl']) ids.push(await accept('PREVIEW_TICKET_IMPORT', name))
    const claimed = [await claim('PREVIEW_TICKET_IMPORT'), await claim('PREVIEW_TICKET_IMPORT')]
    expect(claimed.map((job) => job?.id)).toEqual(ids.slice(0, 2))
  })

  test('goes to a later job when an earlier one became due again after it', async () => {
    const { accept, claim, deps, otherSiteId } = await openBench()
    const earlier = await accept('TICKET_IMPORT', 'a.fpl')
    await settleJob(deps, required(await claim()), { kind: 'failed', message: 'why', final: false })
    const later = await accept('TICKET_IMPORT', 'b.fpl', otherSiteId)
    await deps.db.updateTable('job').set({ due_at: sql<Date>`now()` }).where('id', '=', earlier).execute()
    expect([(await claim())?.id, (await claim())?.id]).toEqual([later, earlier])
  })

  test('holds for the lease by the clock of the database and is renewed by heartbeats', async () => {
    const { accept, claim, db, expireLeases } = await openBench()
    await accept('TICKET_IMPORT', 'a.fpl')
    const lease = async () => {
      const { rows } = await sql<{ seconds: number; worker: string }>`
        SELECT extract(epoch FROM leased_until - now())::float AS seconds, worker_id AS worker FROM job`.execute(db)
      return rows[0]
    }
    const claimed = required(await claim())
    expect(await lease()).toMatchObject({ worker: 'worker_1' })
    expect((await lease())?.seconds).toBeLessThanOrEqual(LEASE_MS / 1000)
    expect((await lease())?.seconds).toBeGreaterThan(0)

    await expireLeases()
    expect((await lease())?.seconds).toBeLessThanOrEqual(0)
    expect(await renewLease(db, claimed, null)).toBe(true)
    expect((await lease())?.seconds).toBeGreaterThan(0)
    expect(await claim()).toBeUndefined()
  })

  test('passes to the next worker as soon as the lease expires, counting the attempt', async () => {
    const { accept, claim, job, expireLeases } = await openBench()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    await claim()
    expect(await claim()).toBeUndefined()
    await expireLeases()
    expect(await claim()).toMatchObject({ retryCount: 2, claim: 2 })
    expect(await job(id)).toMatchObject({ status: 'RUNNING', retryCount: 2 })
  })

  test('resolves a job whose lease expired during its last attempt, then goes to the next job', async () => {
    const { accept, claim, job, expireLeases } = await openBench()
    const id = await accept('PREVIEW_TICKET_IMPORT', 'a.fpl')
    await claim('PREVIEW_TICKET_IMPORT')
    await expireLeases()
    const next = await accept('PREVIEW_TICKET_IMPORT', 'b.fpl')
    expect(await claim('PREVIEW_TICKET_IMPORT')).toMatchObject({ id: next })
    expect(await job(id)).toMatchObject({
      status: 'ERROR',
      resolved: true,
      output: { message: 'a.fpl broke: the worker running it died' },
    })
  })

  test('that was lost cannot write over the current one', async () => {
    const { accept, claim, job, deps, db, expireLeases } = await openBench()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    const first = required(await claim())
    await expireLeases()
    const second = required(await claim())

    expect(await renewLease(db, first, { stage: 'old', done: 1, total: 1 })).toBe(false)
    expect(await settleJob(deps, first, { kind: 'done', output })).toBeUndefined()
    await expect(requireClaim(db, first)).rejects.toThrow('another worker took over this job')
    expect([await hasClaim(db, first), await hasClaim(db, second)]).toEqual([false, true])
    expect(await job(id)).toMatchObject({ status: 'RUNNING', retryCount: 2, output: null, progress: null })

    await requireClaim(db, second)
    expect(await settleJob(deps, second, { kind: 'done', output })).toBeDefined()
    expect(await job(id)).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
  })

  test('does not pass on while a transaction of the job is open, and its lease can still be renewed', async () => {
    const { accept, claim, db, expireLeases } = await openBench()
    await accept('TICKET_IMPORT', 'a.fpl')
    const first = required(await claim())
    await db.transaction().execute(async (trx) => {
      await requireClaim(trx, first)
      await expireLeases()
      expect(await claim()).toBeUndefined()
      expect(await renewLease(db, first, null)).toBe(true)
      await expireLeases()
    })
    expect(await claim()).toMatchObject({ claim: 2 })
  })
})

describe('imports of one site', () => {
  test('run one at a time in the order in which they were accepted, while the others stay SCHEDULED', async () => {
    const { accept, claim, job, deps, store, siteId } = await openBench()
    await Promise.all(['a.fpl', 'b.fpl', 'c.fpl'].map((name) => accept('TICKET_IMPORT', name)))
    const { items: jobs } = await store.list({ siteId, limit: 10 })
    const ids = jobs.map(({ id }) => id).reverse()
    const ran: string[] = []
    for (const _ of ids) {
      const claimed = required(await claim())
      expect(await claim()).toBeUndefined()
      ran.push(claimed.id)
      for (const id of ids.slice(ran.length)) {
        expect(await job(id)).toMatchObject({ status: 'SCHEDULED', retryCount: 0 })
      }
      await settleJob(deps, claimed, { kind: 'done', output })
    }
    expect(ran).toEqual(ids)
    expect(await claim()).toBeUndefined()
  })

  test('become visible in the order of their positions, so that none starts beside an earlier one', async () => {
    const { accept, claim, db, siteId, organizationId } = await openBench()
    const earlier = { organizationId, siteId, name: 'TICKET_IMPORT', filename: 'a.fpl', maxAttempts: 3 } as const
    let later: Promise<string> | undefined
    await db.transaction().execute(async (trx) => {
      await lockOrganization(trx, organizationId)
      await addJob(trx, 'job_earlier', { ...earlier, packageVersion: null, keyId: null })
      later = accept('TICKET_IMPORT', 'b.fpl')
      await eventually(async () => {
        const { rows } = await sql`
          SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
          WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`.execute(db)
        expect(rows).toHaveLength(1)
      })
      expect(await claim()).toBeUndefined()
    })
    await later
    expect((await claim())?.id).toBe('job_earlier')
    expect(await claim()).toBeUndefined()
  })

  test('wait while the first one waits for its next attempt', async () => {
    const { accept, claim, deps } = await openBench()
    await accept('TICKET_IMPORT', 'a.fpl')
    await accept('TICKET_IMPORT', 'b.fpl')
    await settleJob(deps, required(await claim()), { kind: 'failed', message: 'why', final: false })
    expect(await claim()).toBeUndefined()
  })

  test('block neither imports of other sites nor previews and exports', async () => {
    const { accept, claim, otherSiteId } = await openBench()
    const expected = [
      await accept('TICKET_IMPORT', 'a.fpl'),
      await accept('TICKET_IMPORT', 'b.fpl', otherSiteId),
      await accept('PREVIEW_TICKET_IMPORT', 'a.fpl'),
      await accept('PREVIEW_TICKET_IMPORT', 'a.fpl'),
      await accept('TICKET_EXPORT', 'c.fpl'),
    ]
    const claimed: (string | undefined)[] = []
    for (const name of ['TICKET_IMPORT', 'PREVIEW_TICKET_IMPORT'] as const) {
      claimed.push((await claim(name))?.id, (await claim(name))?.id)
    }
    claimed.push((await claim('TICKET_EXPORT'))?.id)
    expect(claimed).toEqual(expected)
  })

  test('do not wait for previews and exports', async () => {
    const { accept, claim } = await openBench()
    await accept('PREVIEW_TICKET_IMPORT', 'a.fpl')
    await accept('TICKET_EXPORT', 'b.fpl')
    const id = await accept('TICKET_IMPORT', 'c.fpl')
    expect((await claim())?.id).toBe(id)
  })
})

describe('the jobs of a site', () => {
  test('include no job of another site or organization', async () => {
    const { accept, store, siteId, otherSiteId, foreignSiteId } = await openBench()
    const own = await accept('TICKET_EXPORT', 'own.fpl')
    const other = await accept('TICKET_EXPORT', 'other.fpl', otherSiteId)
    const foreign = await accept('TICKET_EXPORT', 'foreign.fpl', foreignSiteId)
    for (const [site, id] of [
      [siteId, own],
      [otherSiteId, other],
      [foreignSiteId, foreign],
    ] as const) {
      const page = await store.list({ siteId: site, limit: 10 })
      expect(page.items.map((job) => job.id)).toEqual([id])
      expect(page.next).toBeNull()
    }
    expect(await store.find(siteId, other)).toBeUndefined()
    expect(await store.find(siteId, foreign)).toBeUndefined()
  })
})

describe('organizations', () => {
  test('take turns: a queue of one delays a job of another by at most one job per worker', async () => {
    const { accept, deps, siteId, otherSiteId, foreignSiteId } = await openBench()
    for (let count = 0; count < 10; count += 1) {
      await accept('TICKET_EXPORT', `${count}.fpl`, count % 2 ? siteId : otherSiteId)
    }
    const first = required(await claimNext(deps, 'TICKET_EXPORT', 'worker_1'))
    expect(first.siteId).not.toBe(foreignSiteId)
    const theirs = await accept('TICKET_EXPORT', 'theirs.fpl', foreignSiteId)
    const next = await claimNext(deps, 'TICKET_EXPORT', 'worker_1')
    expect(next?.id).toBe(theirs)

    const more = [
      await accept('TICKET_EXPORT', 'a.fpl', foreignSiteId),
      await accept('TICKET_EXPORT', 'b.fpl', foreignSiteId),
    ]
    const order: string[] = []
    for (let count = 0; count < 4; count += 1) {
      order.push(required(await claimNext(deps, 'TICKET_EXPORT', `worker_${count}`)).siteId)
    }
    expect(order.map((site) => site === foreignSiteId)).toEqual([false, true, false, true])
    expect(more).toHaveLength(2)
  })

  test('have turns for each kind of job: exports do not delay the imports of their organization', async () => {
    const { accept, claim, siteId, foreignSiteId } = await openBench()
    await accept('TICKET_EXPORT', 'a.fpl', siteId)
    await claim('TICKET_EXPORT')
    const ours = await accept('TICKET_IMPORT', 'b.fpl', siteId)
    await accept('TICKET_IMPORT', 'c.fpl', foreignSiteId)
    expect((await claim('TICKET_IMPORT'))?.id).toBe(ours)
  })
})

describe('the quota of unfinished jobs', () => {
  async function openQuota() {
    const bench = await openBench()
    const { db, organizationId, siteId } = bench
    const quota = { perSite: 2, perOrganization: 3 }
    const foreign = await db
      .selectFrom('site')
      .where('id', '=', bench.foreignSiteId)
      .selectAll()
      .executeTakeFirstOrThrow()
    const accept = (site = siteId, name: JobName = 'PREVIEW_TICKET_IMPORT') =>
      acceptJob(
        { db, kinds: { ...TEST_KINDS, TICKET_EXPORT: { ...TEST_KINDS.TICKET_EXPORT, joinsWaiting: true } }, quota },
        {
          organizationId: site === bench.foreignSiteId ? foreign.organization_id : organizationId,
          siteId: site,
          name,
          filename: 'a.fpl',
          packageVersion: null,
          keyId: null,
        },
      )
    return { ...bench, accept }
  }

  test('holds for a site and for its organization, names itself, and leaves other organizations alone', async () => {
    const { accept, siteId, otherSiteId, foreignSiteId } = await openQuota()
    await accept(siteId)
    await accept(siteId)
    await expect(accept(siteId)).rejects.toMatchObject({
      kind: 'quota',
      retryAfterS: 30,
      message: 'this site has reached its limit of 2 unfinished jobs: wait until one has ended, then try again',
    })
    await accept(otherSiteId)
    await expect(accept(otherSiteId)).rejects.toThrow('this organization has reached its limit of 3 unfinished jobs')
    await accept(foreignSiteId)
  })

  test('holds for requests that arrive together', async () => {
    const { accept, siteId, otherSiteId } = await openQuota()
    const sites = Array.from({ length: 12 }, (_, index) => (index % 2 ? siteId : otherSiteId))
    const results = await Promise.allSettled(sites.map((site) => accept(site)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })

  test('counts a job until it has ended', async () => {
    const { accept, claim, deps, siteId } = await openQuota()
    await accept(siteId)
    await accept(siteId)
    await settleJob(deps, required(await claim('PREVIEW_TICKET_IMPORT')), { kind: 'done', output })
    await accept(siteId)
  })

  test('is not used up by jobs that join one that waits; one that runs is not joined', async () => {
    const { accept, claim, siteId } = await openQuota()
    const first = await accept(siteId, 'TICKET_EXPORT')
    expect(await Promise.all([1, 2, 3].map(() => accept(siteId, 'TICKET_EXPORT')))).toEqual([first, first, first])
    await claim('TICKET_EXPORT')
    const second = await accept(siteId, 'TICKET_EXPORT')
    expect(second).not.toBe(first)
    expect(await accept(siteId, 'TICKET_EXPORT')).toBe(second)
  })
})

describeWork('a job', async () => {
  const { db, accept, siteId, foreignSiteId } = await openJobBench()
  const clock = createManualClock()
  const settings = { pollMs: 1_000, heartbeatMs: 3_000, retryMs: 1_000, graceMs: 1_000 }
  const startProcess = () => {
    throw new Error('these tests run nothing')
  }
  const deps = { db, kinds: TEST_KINDS, retryDelayS: 0, startProcess, clock, log, settings }
  return {
    db,
    clock,
    kind: jobKind(deps, 'TICKET_EXPORT', 'worker_1'),
    add: (organization) => accept('TICKET_EXPORT', 'a.fpl', organization === 'org_1' ? siteId : foreignSiteId),
  }
})
