import { getEventListeners } from 'node:events'
import { sleep, systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { createOtlpTrace } from '@plantroom/base/otlp-trace'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { type KyselyPlugin, type QueryId, sql } from 'kysely'
import { expect, test } from 'vitest'
import { runDue } from '../work/index.ts'
import type { AttemptDeps } from './attempt.ts'
import type { Ending } from './ending.ts'
import type { JobKind } from './job.ts'
import type { JobProcess } from './job-process.ts'
import { claimNext } from './testing/attempts.ts'
import { log, openJobBench, TEST_KINDS } from './testing/job-bench.ts'
import { jobKind, type WorkerDeps } from './worker.ts'

const HEARTBEAT_MS = 2_000

/** A process that runs until it is killed or told how to end. */
function createProcess() {
  const { promise: ending, resolve: end } = Promise.withResolvers<Ending>()
  const started = Promise.withResolvers<void>()
  const stops: number[] = []
  let [kills, reads] = [0, 0]
  const process: JobProcess = {
    pid: 1,
    ending,
    get progress() {
      reads += 1
      return { stage: 'importing', done: 1, total: 2 } as const
    },
    stop(graceMs) {
      stops.push(graceMs)
      end({ kind: 'stopped' })
    },
    kill() {
      kills += 1
      end({ kind: 'broken', reason: 'killed' })
    },
  }
  return { process, started, end, stops, kills: () => kills, reads: () => reads }
}

/** Withholds the answer to the first heartbeat until `answer` is called. */
function delayHeartbeat() {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const updates: QueryId[] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (node.kind === 'UpdateQueryNode') updates.push(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      // The first one starts the attempt.
      if (queryId === updates[1]) await answered
      return result
    },
  }
  return { plugin, answer }
}

async function startAttempt(
  options: {
    signal?: AbortSignal
    describeBroken?: JobKind['describeBroken']
    plugin?: KyselyPlugin
    observe?: Pick<AttemptDeps, 'log' | 'trace'>
  } = {},
) {
  const { signal = new AbortController().signal, describeBroken = TEST_KINDS.TICKET_IMPORT.describeBroken } = options
  const bench = await openJobBench()
  const clock = createManualClock()
  const child = createProcess()
  const deps: WorkerDeps = {
    db: bench.db,
    kinds: { ...TEST_KINDS, TICKET_IMPORT: { ...TEST_KINDS.TICKET_IMPORT, describeBroken } },
    retryDelayS: 60,
    startProcess() {
      child.started.resolve()
      return child.process
    },
    clock,
    log,
    settings: { pollMs: 1_000, heartbeatMs: HEARTBEAT_MS, retryMs: 1_000, graceMs: 8_000 },
    ...options.observe,
  }
  const id = await bench.accept('TICKET_IMPORT', 'a.fpl')
  const db = options.plugin ? bench.db.withPlugin(options.plugin) : bench.db
  const kind = jobKind({ ...deps, db }, 'TICKET_IMPORT', 'worker_1')
  let isFirst = true
  const once: typeof kind = {
    ...kind,
    isOpen: () => isFirst,
    run(lease, tools) {
      isFirst = false
      return kind.run(lease, tools)
    },
  }
  const attempt = runDue({ ...deps, db }, once, signal)
  if (!signal.aborted) await child.started.promise
  return { ...bench, clock, child, id, deps, attempt }
}

test('an attempt is a span, and all of its log lines have the id of the job', async () => {
  const bodies: string[] = []
  const lines: string[] = []
  const observed = createLog('worker', 'info', { write: (line) => void lines.push(line) })
  const trace = createOtlpTrace({
    service: 'worker',
    settings: { endpoint: 'http://127.0.0.1:1', headers: {}, ratio: 1 },
    clock: createManualClock(),
    log,
    async send(_url, init) {
      bodies.push(String(init?.body))
      return new Response('{}')
    },
  })
  const { id, child, attempt } = await startAttempt({ observe: { log: observed, trace } })
  child.end({ kind: 'done', output: { message: 'done' } })
  await attempt
  await trace.close()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'attempt started', job: id, traceId: expect.any(String) },
    { msg: 'attempt ended', job: id },
  ])
  const [span] = JSON.parse(bodies[0] ?? '').resourceSpans[0].scopeSpans[0].spans
  expect(span).toMatchObject({
    name: 'job TICKET_IMPORT',
    kind: 5,
    traceId: JSON.parse(lines[0] ?? '').traceId,
    attributes: expect.arrayContaining([{ key: 'plantroom.job.id', value: { stringValue: id } }]),
  })
})

test('a heartbeat renews the lease and saves the progress', async () => {
  const { db, id, job, clock, child, attempt, expireLeases } = await startAttempt()
  await expireLeases()
  await clock.advance(HEARTBEAT_MS)
  await eventually(async () => {
    const { rows } = await sql`SELECT 1 FROM job WHERE leased_until > now()`.execute(db)
    expect(rows).toHaveLength(1)
  })
  expect(await job(id)).toMatchObject({ progress: { stage: 'importing', done: 1, total: 2 } })
  expect(child.kills()).toBe(0)
  child.end({ kind: 'done', output: { message: 'done' } })
  await attempt
  expect(await job(id)).toMatchObject({ status: 'SUCCESS' })
  expect(clock.waiting()).toEqual([])
})

test('a heartbeat that waits for the database delays the ones after it', async () => {
  const { db, clock, child, attempt } = await startAttempt()
  await db.transaction().execute(async (trx) => {
    await sql`SELECT 1 FROM job FOR UPDATE`.execute(trx)
    await clock.advance(3 * HEARTBEAT_MS)
    // Each heartbeat reads the progress once.
    expect(child.reads()).toBe(1)
  })
  await eventually(async () => {
    await clock.advance(HEARTBEAT_MS)
    expect(child.reads()).toBeGreaterThan(1)
  })
  child.end({ kind: 'done', output: { message: 'done' } })
  await attempt
})

test('an attempt ends after the answer to its last heartbeat, which may lock the job until then', async () => {
  const late = delayHeartbeat()
  const { id, job, clock, child, attempt } = await startAttempt({ plugin: late.plugin })
  await clock.advance(HEARTBEAT_MS)
  child.end({ kind: 'done', output: { message: 'done' } })
  await eventually(async () => expect(await job(id)).toMatchObject({ status: 'SUCCESS' }))
  const order: string[] = []
  const ended = attempt.then(() => order.push('attempt'))
  await sleep(systemClock, 50)
  order.push('heartbeat')
  late.answer()
  await ended
  expect(order).toEqual(['heartbeat', 'attempt'])
})

test('a heartbeat kills the process of a job that another worker claimed, and its result is discarded', async () => {
  const { id, job, clock, child, attempt, deps, expireLeases } = await startAttempt()
  await expireLeases()
  expect(await claimNext(deps, 'TICKET_IMPORT', 'worker_2')).toMatchObject({ id, claim: 2 })
  await clock.advance(HEARTBEAT_MS)
  await attempt
  expect(child.kills()).toBe(1)
  expect(await job(id)).toMatchObject({ status: 'RUNNING', retryCount: 2, output: null, progress: null })
})

test.each([
  ['during the attempt asks the process to end, and the job returns to the queue', [8_000]],
  ['before the attempt leaves the job in the queue', []],
] as const)('a stop %s', async (when, stops) => {
  const stopping = new AbortController()
  if (when.startsWith('before')) stopping.abort()
  const { id, job, child, attempt } = await startAttempt({ signal: stopping.signal })
  stopping.abort()
  await attempt
  expect(child.stops).toEqual(stops)
  expect(await job(id)).toMatchObject({ status: 'SCHEDULED', retryCount: 0 })
})

test('the end is recorded as soon as that works again', async () => {
  let failures = 2
  const { id, job, clock, child, attempt } = await startAttempt({
    async describeBroken() {
      failures -= 1
      if (failures >= 0) throw new Error('the database is gone')
      return 'It broke.'
    },
  })
  child.end({ kind: 'broken', reason: 'killed' })
  await eventually(async () => {
    await clock.advance(1_000)
    expect(failures).toBe(-1)
  })
  await attempt
  expect(await job(id)).toMatchObject({ status: 'ERROR', retryCount: 1 })
})

test('an end that cannot be recorded is left to the next claim after six grace periods', async () => {
  const { id, job, clock, child, attempt } = await startAttempt({
    async describeBroken() {
      throw new Error('the database is gone')
    },
  })
  child.end({ kind: 'broken', reason: 'killed' })
  let isOver = false
  const ended = attempt.then(() => {
    isOver = true
  })
  await eventually(async () => {
    await clock.advance(1_000)
    expect(isOver).toBe(true)
  })
  await ended
  expect(clock.monotonic()).toBeGreaterThan(48_000)
  expect(await job(id)).toMatchObject({ status: 'RUNNING', resolved: false })
})

test('leaves nothing behind on the signal that stops the worker, which outlives every job', async () => {
  const worker = new AbortController()
  const { child, attempt } = await startAttempt({ signal: worker.signal })
  expect(getEventListeners(worker.signal, 'abort')).toHaveLength(1)
  child.end({ kind: 'done', output: { message: 'done' } })
  await attempt
  expect(getEventListeners(worker.signal, 'abort')).toEqual([])
})
