import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { isHeld, requireHeld } from './claim-store.ts'
import type { Message } from './queue.ts'
import { type JobBench, openJobBench } from './testing/jobs.ts'
import { claimJob, reportProgress, settleJob, sweepJobs } from './transitions.ts'

const output = { message: 'done' }

async function openBench() {
  const bench = await openJobBench()
  const deps = { db: bench.db, queue: bench.queue, retryDelayS: 60 }
  /** Takes the next message and begins its job. */
  async function begin(name: Message['name'] = 'TICKET_IMPORT') {
    const message = await bench.queue.take(name)
    if (!message) return undefined
    const job = await claimJob(deps, message)
    return job && { message, job }
  }
  return { ...bench, deps, begin }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('there is nothing')
  return value
}

const loseLease = async ({ letLeasesEnd, db, queue }: JobBench) => {
  await letLeasesEnd()
  await sql`UPDATE pgboss.queue SET monitor_claim_on = NULL, monitor_on = NULL`.execute(db)
  await queue.takeBack()
}

describe('a job', () => {
  test('is SCHEDULED with no attempts, RUNNING with one, and SUCCESS with its output', async () => {
    const { accept, begin, job, deps } = await openBench()
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
    })
    const held = required(await begin('PREVIEW_TICKET_IMPORT'))
    expect(await job(id)).toMatchObject({ status: 'RUNNING', retryCount: 1, resolved: false })
    expect(await reportProgress(deps, held.job, { stage: 'checking', done: 1, total: 2 })).toBe(true)
    expect(await job(id)).toMatchObject({ progress: { stage: 'checking', done: 1, total: 2 } })
    await settleJob(deps, held.message, held.job, { kind: 'done', output })
    expect(await job(id)).toMatchObject({ status: 'SUCCESS', retryCount: 1, resolved: true, output })
    expect(await begin('PREVIEW_TICKET_IMPORT')).toBeUndefined()
  })

  test('that failed waits for its next attempt as ERROR that is not resolved', async () => {
    const { accept, begin, job, deps, db } = await openBench()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    for (const attempt of [1, 2, 3]) {
      const held = required(await begin())
      expect(await job(id)).toMatchObject({ status: 'RUNNING', retryCount: attempt })
      await settleJob(deps, held.message, held.job, { kind: 'failed', message: 'why', final: false })
      expect(await job(id)).toMatchObject({ status: 'ERROR', resolved: attempt === 3, retryCount: attempt })
      expect(await begin()).toBeUndefined()
      await sql`UPDATE pgboss.job SET start_after = now()`.execute(db)
    }
    expect(await begin()).toBeUndefined()
    expect(await job(id)).toMatchObject({ output: { message: 'why' } })
  })

  test('whose output holds what no column takes is kept all the same', async () => {
    const { accept, begin, job, deps } = await openBench()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    const held = required(await begin())
    await settleJob(deps, held.message, held.job, { kind: 'failed', message: 'a\0b\ud800', final: true })
    expect(await job(id)).toMatchObject({ resolved: true, output: { message: 'a\ufffdb\ufffd' } })
  })
})

describe('a worker that died', () => {
  test('has had its attempt: another takes the job over at once', async () => {
    const bench = await openBench()
    const id = await bench.accept('TICKET_IMPORT', 'a.fpl')
    await bench.begin()
    await loseLease(bench)
    const second = required(await bench.begin())
    expect(second.job).toMatchObject({ retryCount: 2, claim: 2 })
    expect(await bench.job(id)).toMatchObject({ status: 'RUNNING', retryCount: 2 })
  })

  test('on the last attempt ends the job, which says so', async () => {
    const bench = await openBench()
    const id = await bench.accept('PREVIEW_TICKET_IMPORT', 'a.fpl')
    await bench.begin('PREVIEW_TICKET_IMPORT')
    await loseLease(bench)
    expect(await bench.begin('PREVIEW_TICKET_IMPORT')).toBeUndefined()
    expect(await bench.job(id)).toMatchObject({
      status: 'ERROR',
      resolved: true,
      output: { message: 'The preview did not finish: the worker that ran it ended. Start it again.' },
    })
  })

  test('and comes back writes nothing over the one that has the job now', async () => {
    const bench = await openBench()
    const { db, deps } = bench
    const id = await bench.accept('TICKET_IMPORT', 'a.fpl')
    const first = required(await bench.begin())
    await loseLease(bench)
    const second = required(await bench.begin())

    expect(await reportProgress(deps, first.job, { stage: 'old', done: 1, total: 1 })).toBe(false)
    expect(await settleJob(deps, first.message, first.job, { kind: 'done', output })).toBeUndefined()
    await expect(requireHeld(db, first.job)).rejects.toThrow('taken this job over')
    expect(await isHeld(db, first.job)).toBe(false)
    expect(await bench.job(id)).toMatchObject({ status: 'RUNNING', retryCount: 2, output: null, progress: null })

    await requireHeld(db, second.job)
    expect(await settleJob(deps, second.message, second.job, { kind: 'done', output })).toBeDefined()
    expect(await bench.job(id)).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
  })

  test('cannot take back a job while the one that has it commits', async () => {
    const bench = await openBench()
    await bench.accept('TICKET_IMPORT', 'a.fpl')
    const first = required(await bench.begin())
    await loseLease(bench)
    let committed = false
    let second: Promise<unknown> | undefined
    await bench.db.transaction().execute(async (trx) => {
      await requireHeld(trx, first.job)
      second = bench.begin().then(() => expect(committed).toBe(true))
      // By now the other has come to the row, or will find it locked.
      await sql`SELECT pg_sleep(0.1)`.execute(trx)
      committed = true
    })
    await second
  })
})

describe('imports of one site', () => {
  test('run one at a time, in the order in which they were accepted; the next waits as SCHEDULED', async () => {
    const { accept, begin, job, deps } = await openBench()
    const ids = await Promise.all(['a.fpl', 'b.fpl', 'c.fpl'].map((name) => accept('TICKET_IMPORT', name)))
    const ran: string[] = []
    for (const _ of ids) {
      const held = required(await begin())
      expect(await begin()).toBeUndefined()
      ran.push(held.job.id)
      const waiting = ids.filter((id) => !ran.includes(id))
      for (const id of waiting) expect(await job(id)).toMatchObject({ status: 'SCHEDULED', retryCount: 0 })
      await settleJob(deps, held.message, held.job, { kind: 'done', output })
    }
    expect(ran.toSorted()).toEqual(ids.toSorted())
    expect(await begin()).toBeUndefined()
  })

  test('wait also while the first waits for its next attempt', async () => {
    const { accept, begin, deps, queue } = await openBench()
    await accept('TICKET_IMPORT', 'a.fpl')
    const next = await accept('TICKET_IMPORT', 'b.fpl')
    const held = required(await begin())
    await settleJob(deps, held.message, held.job, { kind: 'failed', message: 'why', final: false })
    expect(await queue.take('TICKET_IMPORT')).toBeUndefined()
    await sweepJobs(deps)
    expect(await queue.take('TICKET_IMPORT')).toBeUndefined()
    await queue.send(deps.db, { id: next, name: 'TICKET_IMPORT' })
    expect(await begin()).toBeUndefined()
  })

  test('do not keep those of another site, nor previews and exports, from running', async () => {
    const { accept, begin, otherSiteId } = await openBench()
    await accept('TICKET_IMPORT', 'a.fpl')
    await accept('TICKET_IMPORT', 'b.fpl', otherSiteId)
    await accept('PREVIEW_TICKET_IMPORT', 'a.fpl')
    await accept('PREVIEW_TICKET_IMPORT', 'a.fpl')
    await accept('TICKET_EXPORT', 'c.fpl')
    for (const name of ['TICKET_IMPORT', 'PREVIEW_TICKET_IMPORT'] as const) {
      expect(await begin(name)).toBeDefined()
      expect(await begin(name)).toBeDefined()
    }
    expect(await begin('TICKET_EXPORT')).toBeDefined()
  })
})

describe('a job that is not in the queue', () => {
  test('whatever took it from there, is put back: an accepted job always runs', async () => {
    const { accept, begin, db, deps, otherSiteId } = await openBench()
    const first = await accept('TICKET_IMPORT', 'a.fpl')
    await accept('TICKET_IMPORT', 'b.fpl')
    const other = await accept('TICKET_IMPORT', 'c.fpl', otherSiteId)
    const preview = await accept('PREVIEW_TICKET_IMPORT', 'a.fpl')
    await sql`DELETE FROM pgboss.job`.execute(db)
    await sweepJobs(deps)
    await sweepJobs(deps)
    expect([(await begin())?.job.id, (await begin())?.job.id].toSorted()).toEqual([first, other].toSorted())
    expect(await begin()).toBeUndefined()
    expect((await begin('PREVIEW_TICKET_IMPORT'))?.job.id).toBe(preview)
  })

  test('because it is resolved stays out of it', async () => {
    const { accept, begin, db, deps, queue } = await openBench()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    const held = required(await begin())
    await settleJob(deps, held.message, held.job, { kind: 'done', output })
    await sweepJobs(deps)
    expect(await queue.take('TICKET_IMPORT')).toBeUndefined()
    await queue.send(db, { id, name: 'TICKET_IMPORT' })
    expect(await begin()).toBeUndefined()
    expect(await queue.take('TICKET_IMPORT')).toBeUndefined()
  })

  test('is not there when it was not accepted', async () => {
    const { begin, db, queue, accept } = await openBench()
    await queue.send(db, { id: 'job_none', name: 'TICKET_IMPORT' })
    expect(await begin()).toBeUndefined()
    await expect(accept('TICKET_IMPORT', 'a.fpl', 'site_none')).rejects.toThrow()
    expect(await queue.take('TICKET_IMPORT')).toBeUndefined()
  })
})
