import { readFileSync } from 'node:fs'
import { isRunning, startChildProgram } from '@plantroom/testkit/child-program'
import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createJobReportStore } from './job-report-store.ts'
import { clock, type JobBench, log, openJobBench } from './testing/jobs.ts'
import { startTestWorker } from './testing/worker.ts'

const TEST_WORKER = new URL('./testing/test-worker.ts', import.meta.url)

function work(bench: JobBench, changes: Parameters<typeof startTestWorker>[1] = {}) {
  const worker = startTestWorker({ db: bench.db, queue: bench.queue, log, clock }, changes)
  onTestFinished(() => worker.stop())
  return worker
}

const startWorkerProcess = (bench: JobBench) =>
  startChildProgram(TEST_WORKER, { env: { DATABASE_URL: bench.url }, supervised: true })

async function ticketsOf({ db }: JobBench): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*)::integer AS count FROM ticket`.execute(db)
  return rows[0]?.count ?? 0
}

/** The process of a job, by what stands on its command line. */
async function childOf(worker: { pid: number }): Promise<number> {
  return eventually(() => {
    const children = readFileSync(`/proc/${worker.pid}/task/${worker.pid}/children`, 'utf8')
    const [pid] = children.split(' ').filter(Boolean).map(Number)
    if (pid === undefined) throw new Error('no job runs yet')
    return pid
  })
}

const isWriting = (bench: JobBench, least = 1) =>
  eventually(async () => expect(await ticketsOf(bench)).toBeGreaterThanOrEqual(least), 20_000)

describe('a job', () => {
  test('runs in a process of its own and leaves its output', async () => {
    const bench = await openJobBench()
    work(bench)
    const id = await bench.accept('TICKET_IMPORT', 'write-3.fpl')
    expect(await bench.resolved(id)).toMatchObject({
      status: 'SUCCESS',
      retryCount: 1,
      output: { created: { tickets: 3 } },
      progress: { stage: 'writing', done: 3, total: 3 },
    })
  })

  test('that fails once is tried again and goes on where it was', async () => {
    const bench = await openJobBench()
    work(bench)
    const id = await bench.accept('TICKET_IMPORT', 'write-3-then-fail-once.fpl')
    expect(await bench.resolved(id)).toMatchObject({
      status: 'SUCCESS',
      retryCount: 2,
      output: { created: { tickets: 0 } },
    })
    expect(await ticketsOf(bench)).toBe(3)
  })

  test('of an invalid package is tried once, and all its problems are kept', async () => {
    const bench = await openJobBench()
    work(bench)
    const id = await bench.accept('TICKET_IMPORT', 'invalid.fpl')
    expect(await bench.resolved(id)).toMatchObject({
      status: 'ERROR',
      retryCount: 1,
      output: { message: expect.stringMatching(/^Invalid manifest: /) },
    })
    const reports = createJobReportStore(bench.db)
    expect(await reports.problems({ jobId: id, limit: 10 })).toEqual({
      items: [
        { path: 'tickets[0].title', value: '=1+1', rule: 'must not be blank' },
        { path: 'tickets[1], "quoted"', value: null, rule: 'must not be blank' },
      ],
      next: null,
    })
  })

  test.each([
    ['write-2-then-throw', 'an unexpected error occurred'],
    ['write-2-then-exit', 'its process ended unexpectedly (exit code 3)'],
    ['write-2-then-eat-memory', 'it needed more than the 32 MB of memory that a job may use'],
    ['write-2-then-full-disk', 'the disk is full'],
  ])('%s: three attempts, then a message that says where it stopped and shows no code', async (name, words) => {
    const bench = await openJobBench()
    work(bench, { child: { heapMb: 32, laterHeapMb: 32 } })
    const id = await bench.accept('TICKET_IMPORT', `${name}.fpl`)
    const job = await bench.resolved(id)
    expect(job).toMatchObject({ status: 'ERROR', retryCount: 3 })
    const { message } = job.output as { message: string }
    expect(message).toMatch(/^The import stopped at request 3: .* put 2 requests on the site; running the import again/)
    expect(message).toContain(words)
    expect(message).not.toMatch(/\n|secret|\.ts/)
  })

  test('that needs more memory than most has more of it from the second attempt on', async () => {
    const bench = await openJobBench()
    work(bench, { child: { heapMb: 32, laterHeapMb: 512 } })
    const id = await bench.accept('TICKET_IMPORT', 'hold-100-mb.fpl')
    expect(await bench.resolved(id)).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
  })

  test('that no further attempt can help is not tried again', async () => {
    const bench = await openJobBench()
    work(bench)
    const id = await bench.accept('TICKET_IMPORT', 'replaced.fpl')
    expect(await bench.resolved(id)).toMatchObject({ retryCount: 1, output: { message: 'the file was replaced' } })
  })

  test('that takes too long is ended, whatever it does', async () => {
    const bench = await openJobBench()
    work(bench, {
      child: { limitMs: { PREVIEW_TICKET_IMPORT: 1_000, TICKET_IMPORT: 1_000, TICKET_EXPORT: 1_000 } },
    })
    const id = await bench.accept('PREVIEW_TICKET_IMPORT', 'hang-deaf.fpl')
    expect(await bench.resolved(id)).toMatchObject({
      status: 'ERROR',
      output: { message: 'The preview did not finish: it took longer than 1 s and was ended. Start it again.' },
    })
  })

  test('whose process is killed is tried again', async () => {
    const bench = await openJobBench()
    work(bench)
    const id = await bench.accept('TICKET_IMPORT', 'write-3-then-hang-once.fpl')
    await isWriting(bench, 3)
    process.kill(await childOf(process), 'SIGKILL')
    expect(await bench.resolved(id)).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
    expect(await ticketsOf(bench)).toBe(3)
  })

  test('that only reads does not wait for an import', async () => {
    const bench = await openJobBench()
    work(bench)
    await bench.accept('TICKET_IMPORT', 'write-1-then-hang.fpl')
    await isWriting(bench)
    const preview = await bench.accept('PREVIEW_TICKET_IMPORT', 'a.fpl')
    expect(await bench.resolved(preview)).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('a worker', () => {
  test('that is stopped gives its job back: no attempt is counted, and it goes on elsewhere', async () => {
    const bench = await openJobBench()
    const first = startTestWorker({ db: bench.db, queue: bench.queue, log, clock })
    const id = await bench.accept('TICKET_IMPORT', 'write-4-then-hang.fpl')
    await isWriting(bench, 4)
    await first.stop()
    expect(await bench.job(id)).toMatchObject({ status: 'SCHEDULED', retryCount: 0, resolved: false })
    work(bench)
    await eventually(async () => expect(await bench.job(id)).toMatchObject({ status: 'RUNNING', retryCount: 1 }))
  })

  test('that is stopped ends a job that does not listen', async () => {
    const bench = await openJobBench()
    const first = startTestWorker({ db: bench.db, queue: bench.queue, log, clock }, { settings: { graceMs: 200 } })
    const id = await bench.accept('TICKET_IMPORT', 'write-1-then-hang-deaf.fpl')
    await isWriting(bench)
    await first.stop()
    expect(await bench.job(id)).toMatchObject({ status: 'SCHEDULED', retryCount: 0 })
  })

  test('that is killed takes its job with it; another goes on, and every request is there once', async () => {
    const bench = await openJobBench()
    const killed = startWorkerProcess(bench)
    const id = await bench.accept('TICKET_IMPORT', 'write-400.fpl')
    await isWriting(bench, 5)
    const child = await childOf(killed)
    killed.kill('SIGKILL')
    await eventually(() => expect(isRunning(child)).toBe(false))
    const left = await ticketsOf(bench)
    expect(left).toBeLessThan(400)

    work(bench)
    await bench.letLeasesEnd()
    expect(await bench.resolved(id)).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
    expect(await ticketsOf(bench)).toBe(400)
  })

  test('that is killed three times leaves a job that says where it stopped', async () => {
    const bench = await openJobBench()
    const id = await bench.accept('TICKET_IMPORT', 'write-2-then-hang.fpl')
    for (const attempt of [1, 2, 3]) {
      const killed = startWorkerProcess(bench)
      await eventually(async () =>
        expect(await bench.job(id)).toMatchObject({ status: 'RUNNING', retryCount: attempt }),
      )
      await isWriting(bench, 2)
      killed.kill('SIGKILL')
      await killed.ended
      await bench.letLeasesEnd()
    }
    work(bench)
    const { output } = await bench.resolved(id)
    expect(output).toEqual({
      message:
        'The import stopped at request 3: the worker that ran it ended. It has put 2 requests on the site; running the import again continues from there.',
    })
  })

  test('that was frozen past its lease writes nothing over the one that has its job now', async () => {
    const bench = await openJobBench()
    const frozen = startWorkerProcess(bench)
    const id = await bench.accept('TICKET_IMPORT', 'write-2-then-hang-once.fpl')
    await isWriting(bench, 2)
    const child = await childOf(frozen)
    frozen.kill('SIGSTOP')
    work(bench)
    await bench.letLeasesEnd()
    const done = await bench.resolved(id)
    expect(done).toMatchObject({ status: 'SUCCESS', retryCount: 2 })
    // Its worker cannot tell it: it finds out by itself.
    await eventually(() => expect(isRunning(child)).toBe(false))

    frozen.kill('SIGCONT')
    const next = await bench.accept('TICKET_IMPORT', 'write-1.fpl')
    await bench.resolved(next)
    expect(await bench.job(id)).toEqual(done)
  })

  test('shares the jobs with another: each runs once', async () => {
    const bench = await openJobBench()
    work(bench)
    work(bench)
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
    expect(await ticketsOf(bench)).toBe(22)
  })
})
