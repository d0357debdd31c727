import { createLog } from '@plantroom/base/log'
import { describe, expect, test } from 'vitest'
import { runDue } from '../../platform/work/index.ts'
import { createPollStore } from './poll-store.ts'
import { openBench } from './testing/bench.ts'

const log = createLog('test', 'silent')
const values = (held: readonly { value: number }[]) => held.map(({ value }) => value)

test('a worker that is halted while it records does not keep its program from the others', async () => {
  const bench = await openBench()
  await bench.wakeAt(bench.clock.now())
  const { promise: lease, resolve } = Promise.withResolvers<Parameters<typeof bench.worker.run>[0]>()
  await runDue({ ...bench, log }, { ...bench.worker, run: async (taken) => resolve(taken) })
  const held = await lease
  const [isHalted, isAwake] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()]
  const recording = bench.db.transaction().execute(async (tx) => {
    isHalted.resolve(await createPollStore(tx).hold(held, 2_000))
    await isAwake.promise
  })
  recording.catch(isHalted.reject)
  expect(await isHalted.promise).toBe(true)
  // Waits for the lock of the one that is halted.
  const other = bench.db.transaction().execute((tx) => createPollStore(tx).hold(held, 10_000))
  expect(await other).toBe(true)
  isAwake.resolve()
  await expect(recording).rejects.toThrow()
})

describe('an event', () => {
  test('becomes one override for each interval, also for those to come', async () => {
    const bench = await openBench()
    bench.vtn.addEvent(bench.event(-5, 30, [10, 20, 30]))
    await bench.poll()
    expect(values(bench.held())).toEqual([10, 20, 30])
    await bench.poll()
    expect(bench.placements(bench.device(0))).toHaveLength(3)
    const [event] = await bench.events()
    expect(event).toMatchObject({ eventName: 'Peak', state: 'active', resources: ['battery'], problems: [] })
    expect(event?.placements.map(({ state }) => state)).toEqual(['active', 'queued', 'queued'])
    expect(event?.placements[0]?.outcomes).toMatchObject([{ deviceId: 'dev_0000', outcome: 'accepted', value: 10 }])
    expect(await bench.state()).toMatchObject({ state: 'connected', problem: null, counts: { placed: 3, refused: 0 } })
  })

  test('that changes in mid-interval gets its new override before the old one is released', async () => {
    const bench = await openBench()
    const { id } = bench.vtn.addEvent(bench.event(-5, 30, [10, 20]))
    await bench.poll()
    const { received } = bench.device(0)
    received.length = 0
    bench.vtn.changeEvent(id, bench.event(-5, 30, [15, 20]))
    await bench.poll()
    expect(values(bench.held())).toEqual([15, 20])
    // The second interval says the same, so it is left alone.
    expect(received.map(({ command }) => command)).toEqual(['demandResponseOverride', 'cancelOverridesByReqId'])
  })

  test.each([
    ['deleted', 'deleted', (bench: Bench, id: string) => bench.vtn.events.remove(id)],
    [
      'set to no duration',
      'ended',
      (bench: Bench, id: string) => bench.vtn.changeEvent(id, bench.event(5, 0, [10, 20])),
    ],
  ])('that is %s is released, and shown as %s', async (_name, state, cancel) => {
    const bench = await openBench()
    const { id } = bench.vtn.addEvent(bench.event(-5, 30, [10, 20]))
    await bench.poll()
    expect(bench.held()).toHaveLength(2)
    cancel(bench, id)
    await bench.poll()
    expect(bench.held()).toEqual([])
    const [event] = await bench.events()
    expect([event?.state, event?.placements.map((one) => one.state)]).toEqual([state, ['released', 'released']])
    expect((await bench.state())?.counts.events).toBe(0)
  })

  test('without an end is placed for 24 hours at a time', async () => {
    const bench = await openBench()
    bench.vtn.addEvent(bench.event(0, 30, [10], { intervalPeriod: { start: bench.time(0), duration: 'P9999Y' } }))
    await bench.poll()
    const latest = Math.max(...bench.held().map(({ to }) => Date.parse(to)))
    expect(latest - bench.clock.now()).toBeLessThanOrEqual(48 * 3_600_000)
    bench.clock.step(25 * 3_600_000)
    await bench.poll()
    expect(Math.max(...bench.held().map(({ to }) => Date.parse(to)))).toBeGreaterThan(latest)
  })

  test('that a controller refuses is shown, and tried again later', async () => {
    const bench = await openBench()
    bench.device(0).refuses = 'the clock is wrong'
    bench.vtn.addEvent(bench.event(-5, 60, [10]))
    await bench.poll()
    const refused = (await bench.events())[0]?.placements[0]
    expect(refused).toMatchObject({ state: 'refused', reason: 'the clock is wrong' })
    expect((await bench.state())?.counts).toMatchObject({ placed: 0, refused: 1 })
    bench.device(0).refuses = undefined
    bench.clock.step(6 * 60_000)
    await bench.poll()
    expect(values(bench.held())).toEqual([10])
  })

  test('for a datapoint that no longer exists, or with a price, is recorded and not acted on, and only the former is a problem', async () => {
    const bench = await openBench()
    await bench.db.deleteFrom('writable_datapoint').execute()
    bench.vtn.addEvent(bench.event(-5, 60, [10]))
    const prices = [{ id: 0, payloads: [{ type: 'PRICE', values: [0.17] }] }]
    const payloadDescriptors = [{ payloadType: 'PRICE', units: 'KWH', currency: 'EUR' }]
    bench.vtn.addEvent({ ...bench.event(-5, 60, []), intervals: prices, payloadDescriptors })
    await bench.poll()
    const [price, setpoint] = await bench.events()
    expect(setpoint?.problems).toEqual([expect.stringContaining('not commissioned')])
    expect(price?.problems).toEqual([])
    expect(price?.intervals[0]?.payloads).toEqual([{ type: 'PRICE', unit: 'EUR/kWh', values: ['0.17'] }])
    expect(bench.placements(bench.device(0))).toEqual([])
    expect((await bench.state())?.missingDatapoints).toEqual(['dp_0'])
  })
})
test('another choice of programs counts with the next poll', async () => {
  const bench = await openBench()
  const other = bench.vtn.addProgram({ programName: 'Other' })
  bench.vtn.addEvent(bench.event(-5, 30, [10]))
  bench.vtn.addEvent(bench.event(-5, 30, [12], { programID: other.id }))
  await bench.poll()
  expect(values(bench.held())).toEqual([10])
  const program = await bench.store.read('org', bench.programId)
  if (!program) throw new Error('the program is missing')
  const settings = { ...program.settings, programNames: ['Other'] }
  const same = {
    name: 'Utility',
    active: true,
    siteIds: ['site'],
    isOtherVtn: false,
    leavesVtn: false,
    isPaused: false,
  }
  await bench.store.change(bench.programId, { ...same, settings }, new Date(bench.clock.now()))
  await bench.poll()
  expect(values(bench.held())).toEqual([12])
})

type Bench = Awaited<ReturnType<typeof openBench>>

describe('a worker that dies', () => {
  test('while it places leaves nothing or everything, and another one places it once', async () => {
    const bench = await openBench()
    bench.vtn.addEvent(bench.event(-5, 30, [10, 20]))
    // The lease is taken, and nothing follows.
    await bench.wakeAt(bench.clock.now())
    await runDue({ ...bench, log }, { ...bench.worker, run: async () => {} })
    await runDue({ ...bench, log }, bench.startWorker())
    expect(await bench.events()).toEqual([])
    bench.clock.step(8_001)
    await runDue({ ...bench, log }, bench.startWorker())
    await bench.settle(bench.startWorker())
    expect(bench.placements(bench.device(0))).toHaveLength(2)
  })

  test('and comes back late records nothing', async () => {
    const bench = await openBench()
    bench.vtn.addEvent(bench.event(-5, 30, [10]))
    await bench.poll()
    const late = bench.startWorker()
    await bench.wakeAt(bench.clock.now())
    const leases: Parameters<typeof late.run>[0][] = []
    await runDue({ ...bench, log }, { ...late, run: async (lease) => void leases.push(lease) })
    bench.clock.step(8_001)
    await bench.poll()
    const before = await bench.events()
    bench.vtn.addEvent(bench.event(60, 30, [30]))
    for (const lease of leases) await late.run(lease, {} as never)
    expect(await bench.events()).toEqual(before)
  })
})

describe('a VTN', () => {
  test('that is down is asked again later and later, and what is known goes on', async () => {
    const bench = await openBench()
    bench.vtn.addEvent(bench.event(-5, 60, [10]))
    await bench.poll()
    bench.vtn.faults.isDown = true
    await bench.poll()
    expect(await bench.state()).toMatchObject({ state: 'failing', problem: expect.stringMatching(/does not answer/) })
    expect(values(bench.held())).toEqual([10])
    const { length } = bench.vtn.requests
    await bench.settle()
    expect(bench.vtn.requests).toHaveLength(length)
    bench.vtn.faults.isDown = false
    await bench.poll()
    expect(await bench.state()).toMatchObject({ state: 'connected', problem: null, failingSince: null })
    expect(bench.placements(bench.device(0))).toHaveLength(1)
  })

  test.each([
    ['answers 429', { retryAfter: '1800' }, /429/, 1_800_000],
    ['asks for a pause of a year', { retryAfter: '31536000' }, /429/, 3_600_000],
    ['answers a web page', { answersHtml: true }, /web page/, 5_000],
    ['forgets the token', { requestsPerToken: 0 }, /401/, 5_000],
  ])('that %s is a problem with words', async (_name, faults, words, pauseMs) => {
    const bench = await openBench()
    Object.assign(bench.vtn.faults, faults)
    await bench.poll()
    const state = await bench.state()
    expect(state).toMatchObject({ state: 'failing', problem: expect.stringMatching(words) })
    const waitMs = Date.parse(state?.nextPollAt ?? '') - bench.clock.now()
    expect(waitMs).toBeGreaterThan(pauseMs - 5_000)
    expect(waitMs).toBeLessThanOrEqual(pauseMs)
  })

  test('that shows the same event under two programs has it followed once', async () => {
    const bench = await openBench()
    bench.vtn.addProgram({ programName: 'Flexibility' })
    bench.vtn.addEvent(bench.event(-5, 30, [10, 20]))
    const isEmptyList = (body: unknown) => Array.isArray(body) && body.length === 0
    bench.vtn.faults.distort = (body, path) => (path === 'events' && isEmptyList(body) ? bench.vtn.events.list() : body)
    await bench.poll()
    await bench.poll()
    expect(await bench.events()).toHaveLength(1)
    expect(bench.placements(bench.device(0))).toHaveLength(2)
  })

  test('whose clock is wrong is followed by our clock, and its operator is asked', async () => {
    const bench = await openBench()
    bench.vtn.faults.clockAheadMs = 3_600_000
    bench.vtn.addEvent(bench.event(-5, 30, [10]))
    await bench.poll()
    expect(values(bench.held())).toEqual([10])
    expect(await bench.state()).toMatchObject({
      state: 'connected',
      problem: expect.stringMatching(/differs by 3\d{3} s/),
    })
  })

  test('that has more events than we read is a problem, and what is known goes on', async () => {
    const bench = await openBench()
    bench.vtn.addEvent(bench.event(-5, 60, [10]))
    await bench.poll()
    const pageful = (body: readonly unknown[]) =>
      Array.from({ length: 10_001 }, (_, index) => ({ ...(body[0] as object), id: `event-${index}` }))
    bench.vtn.faults.distort = (body, path) => (path === 'events' && Array.isArray(body) ? pageful(body) : body)
    await bench.poll()
    expect(await bench.state()).toMatchObject({
      state: 'failing',
      problem: expect.stringMatching(/10000 objects|bytes/),
    })
    expect(values(bench.held())).toEqual([10])
  })

  test.each([
    ['release', 0],
    ['fallback', 1],
  ] as const)('that is silent for long: %s', async (onSilence, left) => {
    const rule = { payload: 'DISPATCH_SETPOINT', datapointId: 'dp_0', fallback: 3 }
    const mapping = { resources: [{ resourceName: 'battery', rules: [rule] }], onSilence, silenceSeconds: 600 }
    const bench = await openBench({ mapping })
    bench.vtn.addEvent(bench.event(-5, 240, [10]))
    await bench.poll()
    bench.vtn.faults.isDown = true
    await bench.poll()
    expect(values(bench.held())).toEqual([10])
    bench.clock.step(601_000)
    await bench.poll()
    expect(values(bench.held())).toEqual(left === 0 ? [] : expect.arrayContaining([3]))
    expect(values(bench.held())).not.toContain(10)
    bench.vtn.faults.isDown = false
    await bench.poll()
    expect(values(bench.held())).toEqual([10])
  })
})
