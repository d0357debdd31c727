import { readFileSync } from 'node:fs'
import type { Job } from '@plantroom/contract/jobs'
import { isRunning, startChildProgram } from '@plantroom/testkit/child-program'
import { eventually } from '@plantroom/testkit/eventually'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openChangeFeed } from '../db/change-feed.ts'
import type { JobKinds } from './job.ts'
import { clock, type JobBench, log, openJobBench, TEST_KINDS } from './testing/job-bench.ts'
import { startTestWorker } from './testing/start-test-worker.ts'

const TEST_WORKER = new URL('./testing/test-worker.ts', import.meta.url)

function startWorker(bench: JobBench, changes: Parameters<typeof startTestWorker>[1] = {}) {
  const worker = startTestWorker({ db: bench.db, log, clock }, changes)
  onTestFinished(() => worker.stop())
  return worker
}

const startWorkerProcess = (bench: JobBench) =>
  startChildProgram(TEST_WORKER, { env: { DATABASE_URL: bench.url }, supervised: true })

/** Counts the rows that the handlers of all jobs have written. */
async function countRows({ db }: JobBench): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM job_problem WHERE path = 'row'`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns the pid of the job process of a worker. */
async function childOf(worker: { pid: number }): Promise<number> {
  return eventually(() => {
    const children = readFileSync(`/proc/${worker.pid}/task/${worker.pid}/children`, 'utf8')
    const [pid] = children.split(' ').filter(Boolean).map(Number)
    if (pid === undefined) throw new Error('no job is running yet')
    return pid
  })
}

const rowsWritten = (bench: JobBench, least = 1) =>
  eventually(async () => expect(await countRows(bench)).toBeGreaterThanOrEqual(least), 20_000)

const messageOf = (job: Job) => (job.output as { message: string }).message

describe('a job', () => {
  test('runs in a separate process and stores its output', async () => {
    const bench = await openJobBench()
    startWorker(bench)
    const id = await bench.accept('TICKET_IMPORT', 'write-3.fpl')
    expect(await bench.resolved(id)).toMatchObject({
      status: 'SUCCESS',
      retryCount: 1,
      output: { created: { tickets: 3 } },
      progress: { stage: 'writing', done: 3, total: 3 },
    })
  })

  test('continues where it stopped when it is retried', async () => {
    const bench = await openJobBench()
    startWorker(bench)
    const id = await bench.accept('TICKET_IMPORT', 'write-3-then-fail-once.fpl')
    expect(await bench.resolved(id)).toMatchObject({
      status: 'SUCCESS',
      retryCount: 2,
      output: { created: { tickets: 0 } },
    })
    expect(await countRows(bench)).toBe(3)
  })

  test('keeps all problems of an invalid package and is not retried', async () => {
    const bench = await openJobBench()
    startWorker(bench)
    const id = await bench.accept('TICKET_IMPORT', 'invalid.fpl')
    expect(await bench.resolved(id)).toMatchObject({
      status: 'ERROR',
      retryCount: 1,
      output: { message: expect.stringMatching(/^Invalid manifest: /) },
    })
    const { rows } = await sql`SELECT path, value, rule FROM job_problem ORDER BY position`.execute(bench.db)
    expect(rows).toEqual([
      { path: 'tickets[0].title', value: '=1+1', rule: 'must not be blank' },
      { path: 'tickets[1], "quoted"', value: null, rule: 'must not be blank' },
    ])
  })

  test.runIf(isCampaign)('ends after three attempts with a message that reveals no code', async () => {
    const bench = await openJobBench()
    startWorker(bench)
    const id = await bench.accept('TICKET_IMPORT', 'write-2-then-throw.fpl')
    const job = await bench.resolved(id)
    expect(job).toMatchObject({ status: 'ERROR', retryCount: 3 })
    expect(messageOf(job)).toContain('write-2-then-throw.fpl broke: an unexpected error occurred')
    expect(messageOf(job)).not.toMatch(/\n|secret|\.ts/)
  })

  test.runIf(isCampaign)('says why its last attempt ended', async () => {
    const bench = await openJobBench()
    startWorker(bench, { process: { heapMb: 32, retryHeapMb: 32 } })
    for (const [name, reason] of [
      ['exit', 'its process ended unexpectedly (exit code 3)'],
      ['eat-memory', 'it needed more memory than the limit of 32 MB'],
      ['full-disk', 'the disk is full'],
    ]) {
      const job = await bench.resolved(await bench.accept('PREVIEW_TICKET_IMPORT', `${name}.fpl`))
      expect(messageOf(job)).toContain(`${name}.fpl broke: ${reason}`)
      expect(messageOf(job)).not.toMatch(/\n|secret|\.ts/)
    }
  })

  test.runIf(isCampaign)('gets a larger heap from the second attempt on', async () => {
    const bench = await openJobBench()
    startWorker(bench, { process: { heapMb: 32, retryHeapMb: 512 } })
    const id = await bench.accept('TICKET_IMPORT', 'hold-100-mb.fpl')
    expect(await bench.resolved(id)).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
  })

  test('gets the larger heap at once if it has no second attempt', async () => {
    const bench = await openJobBench()
    startWorker(bench, { process: { heapMb: 32, retryHeapMb: 512 } })
    const id = await bench.accept('PREVIEW_TICKET_IMPORT', 'hold-100-mb.fpl')
    expect(await bench.resolved(id)).toMatchObject({ status: 'SUCCESS', retryCount: 1 })
  })

  test('is not retried when another attempt cannot succeed', async () => {
    const bench = await openJobBench()
    startWorker(bench)
    const id = await bench.accept('TICKET_IMPORT', 'replaced.fpl')
    expect(await bench.resolved(id)).toMatchObject({ retryCount: 1, output: { message: 'the file was replaced' } })
  })

  test('is killed when it exceeds its time limit', async () => {
    const bench = await openJobBench()
    const kinds: JobKinds = {
      ...TEST_KINDS,
      PREVIEW_TICKET_IMPORT: { ...TEST_KINDS.PREVIEW_TICKET_IMPORT, limitMs: 1_000 },
    }
    startWorker(bench, { process: { kinds } })
    const id = await bench.accept('PREVIEW_TICKET_IMPORT', 'hang-deaf.fpl')
    expect(await bench.resolved(id)).toMatchObject({
      status: 'ERROR',
      output: { message: 'hang-deaf.fpl broke: it exceeded the time limit of 1 s' },
    })
  })

  test('is retried when its process is killed', async () => {
    const bench = await openJobBench()
    startWorker(bench)
    const id = await bench.accept('TICKET_IMPORT', 'write-3-then-hang-once.fpl')
    await rowsWritten(bench, 3)
    process.kill(await childOf(process), 'SIGKILL')
    expect(await bench.resolved(id)).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
    expect(await countRows(bench)).toBe(3)
  })

  test.runIf(isCampaign)('of another kind does not wait for an import', async () => {
    const bench = await openJobBench()
    startWorker(bench)
    await bench.accept('TICKET_IMPORT', 'write-1-then-hang.fpl')
    await rowsWritten(bench)
    const preview = await bench.accept('PREVIEW_TICKET_IMPORT', 'a.fpl')
    expect(await bench.resolved(preview)).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('a worker', () => {
  test('returns its job without counting the attempt when it stops, and another worker continues', async () => {
    const bench = await openJobBench()
    const first = startTestWorker({ db: bench.db, log, clock })
    const id = await bench.accept('TICKET_IMPORT', 'write-4-then-hang.fpl')
    await rowsWritten(bench, 4)
    await first.stop()
    expect(await bench.job(id)).toMatchObject({ status: 'SCHEDULED', retryCount: 0, resolved: false })
    startWorker(bench)
    await eventually(async () => expect(await bench.job(id)).toMatchObject({ status: 'RUNNING', retryCount: 1 }))
  })

  test.runIf(isCampaign)('kills a job that ignores the stop request', async () => {
    const bench = await openJobBench()
    const first = startTestWorker({ db: bench.db, log, clock }, { settings: { graceMs: 200 } })
    const id = await bench.accept('TICKET_IMPORT', 'write-1-then-hang-deaf.fpl')
    await rowsWritten(bench)
    await first.stop()
    expect(await bench.job(id)).toMatchObject({ status: 'SCHEDULED', retryCount: 0 })
  })

  test('takes its job process down when it is killed; another worker continues and writes every row once', async () => {
    const bench = await openJobBench()
    const killed = startWorkerProcess(bench)
    const id = await bench.accept('TICKET_IMPORT', 'write-400.fpl')
    await rowsWritten(bench, 5)
    const child = await childOf(killed)
    killed.kill('SIGKILL')
    await eventually(() => expect(isRunning(child)).toBe(false))
    const left = await countRows(bench)
    expect(left).toBeLessThan(400)

    startWorker(bench)
    await bench.expireLeases()
    expect(await bench.resolved(id)).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
    expect(await countRows(bench)).toBe(400)
  })

  test.runIf(isCampaign)('leaves a resolved job after it was killed in every attempt', async () => {
    const bench = await openJobBench()
    const id = await bench.accept('TICKET_IMPORT', 'write-2-then-hang.fpl')
    for (const attempt of [1, 2, 3]) {
      const killed = startWorkerProcess(bench)
      await eventually(async () =>
        expect(await bench.job(id)).toMatchObject({ status: 'RUNNING', retryCount: attempt }),
      )
      await rowsWritten(bench, 2)
      killed.kill('SIGKILL')
      await killed.ended
      await bench.expireLeases()
    }
    startWorker(bench)
    const { output } = await bench.resolved(id)
    expect(output).toEqual({ message: 'write-2-then-hang.fpl broke: the worker running it died' })
    expect(await countRows(bench)).toBe(2)
  })

  test('that was frozen past its lease writes nothing over the worker that took over its job', async () => {
    const bench = await openJobBench()
    const frozen = startWorkerProcess(bench)
    const id = await bench.accept('TICKET_IMPORT', 'write-2-then-hang-once.fpl')
    await rowsWritten(bench, 2)
    const child = await childOf(frozen)
    frozen.kill('SIGSTOP')
    startWorker(bench)
    await bench.expireLeases()
    const done = await bench.resolved(id)
    expect(done).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
    // Its worker is frozen and cannot kill it: the process checks its claim itself.
    await eventually(() => expect(isRunning(child)).toBe(false))

    frozen.kill('SIGCONT')
    const next = await bench.accept('TICKET_IMPORT', 'write-1.fpl')
    await bench.resolved(next)
    expect(await bench.job(id)).toEqual(done)
  })

  test('shares jobs with another worker, and each runs once', async () => {
    const bench = await openJobBench()
    startWorker(bench)
    startWorker(bench)
    const ids = await Promise.all(
      [bench.siteId, bench.otherSiteId].flatMap((siteId) =>
        ['write-5.fpl', 'write-5.fpl', 'write-6.fpl'].map(async (name) => ({
          siteId,
          id: await bench.accept('TICKET_IMPORT', name, siteId),
        })),
      ),
    )
    for (const { id, siteId } of ids) {
      expect(await bench.resolved(id, siteId)).toMatchObject({ status: 'SUCCESS', retryCount: 1 })
    }
    expect(await countRows(bench)).toBe(32)
  })

  test('starts a new job without waiting for its next poll', async () => {
    const bench = await openJobBench()
    const feed = await openChangeFeed({ address: { connectionString: bench.url }, db: bench.db, clock, log })
    onTestFinished(() => feed.close())
    const settings = { pollMs: 3_600_000 }
    const worker = startTestWorker({ db: bench.db, log, clock, feed }, { settings })
    onTestFinished(() => worker.stop())
    const id = await bench.accept('TICKET_IMPORT', 'write-1.fpl')
    expect(await bench.resolved(id)).toMatchObject({ status: 'SUCCESS' })
    const next = await bench.accept('TICKET_IMPORT', 'write-2-then-fail-once.fpl')
    expect(await bench.resolved(next)).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
  })
})
