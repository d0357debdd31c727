import { newId } from '@plantroom/base/ids'
import { createLog } from '@plantroom/base/log'
import { describe, expect, test } from 'vitest'
import { runDue, timeOf } from '../../platform/work/index.ts'
import { createOptOutStore } from './opt-out-store.ts'
import { createPollStore } from './poll-store.ts'
import { openBench } from './testing/bench.ts'

const ASKS = { reportDescriptors: [{ payloadType: 'OPERATING_STATE', startInterval: 0, numIntervals: 1 }] }
const log = createLog('test', 'silent')
const VIEW = { organizationId: 'org', siteIds: undefined }

/** A bench whose first event is followed, with what a person does about it. */
async function openFollowed(more: object = ASKS) {
  const bench = await openBench()
  const { id } = bench.vtn.addEvent(bench.event(0, 15, [10, 20], more))
  await bench.poll()
  const [event] = await bench.events()
  if (!event) throw new Error('the event is missing')
  const store = createOptOutStore(bench.db)
  const now = () => new Date(bench.clock.now())
  const find = async () => (await bench.events()).find((one) => one.id === event.id)
  return {
    ...bench,
    vtnId: id,
    find,
    async optOut() {
      const about = { eventId: event.id, by: 'ann@example.com', reason: 'A concert tonight' }
      await store.add(about, [{ id: newId('opt'), resourceName: 'battery' }], now())
      await bench.settle()
    },
    async optIn() {
      const [optOut] = (await find())?.optOuts ?? []
      await store.end(VIEW, optOut?.id ?? '', now())
      await bench.settle()
    },
    async told() {
      await bench.sendReports()
      return bench.vtn.reports
        .list()
        .map((report) => JSON.stringify(report.resources).match(/"(RUNNING\w*|NORMAL)"/)?.[1])
    },
  }
}
const values = (held: readonly { value: number }[]) => held.map(({ value }) => value)

describe('an opt-out', () => {
  test('releases what runs and what is to come, says why, and opting in places both again', async () => {
    const bench = await openFollowed()
    expect(values(bench.held())).toEqual([10, 20])
    await bench.optOut()
    expect(bench.held()).toEqual([])
    const out = await bench.find()
    expect(out?.optOuts).toMatchObject([
      { resourceName: 'battery', reason: 'A concert tonight', by: 'ann@example.com' },
    ])
    expect(out).toMatchObject({ resources: ['battery'], problems: [] })
    expect(out?.placements.map(({ state }) => state)).toEqual(['released', 'released'])
    bench.clock.step(60_000)
    await bench.optIn()
    expect(values(bench.held())).toEqual([10, 20])
    expect((await bench.find())?.optOuts).toEqual([])
  })

  test('outlives a change of the event, and a poll in another process', async () => {
    const bench = await openFollowed()
    await bench.optOut()
    bench.vtn.changeEvent(bench.vtnId, bench.event(0, 20, [11, 21], ASKS))
    await bench.poll(bench.startWorker())
    expect(bench.held()).toEqual([])
  })

  test('leaves the next event in force', async () => {
    const bench = await openFollowed({ ...ASKS, priority: 1 })
    bench.vtn.addEvent(bench.event(0, 15, [5], { priority: 2 }))
    await bench.poll()
    await bench.optOut()
    expect(values(bench.held())).toEqual([5])
  })

  test('is reported to the VTN when it begins, when it ends, and with the interval, each once', async () => {
    const bench = await openFollowed()
    await bench.optOut()
    expect(await bench.told()).toEqual(['RUNNING_OPTED_OUT'])
    await bench.poll()
    bench.clock.step(60_000)
    await bench.optIn()
    expect(await bench.told()).toEqual(['RUNNING_OPTED_OUT', 'NORMAL'])
    bench.clock.step(15 * 60_000)
    await bench.poll(bench.startWorker())
    bench.clock.step(30_000)
    expect(await bench.told()).toEqual(['RUNNING_OPTED_OUT', 'NORMAL', 'RUNNING_OPTED_OUT'])
    await bench.poll()
    expect(await bench.told()).toHaveLength(3)
  })

  test('that nobody asks about is not reported', async () => {
    const bench = await openFollowed({})
    await bench.optOut()
    expect(await bench.told()).toEqual([])
    expect(bench.held()).toEqual([])
  })

  test('counts at once, also while a worker waits for a slow VTN', async () => {
    const bench = await openFollowed()
    await bench.wakeAt(bench.clock.now())
    const { promise: asking, resolve } = Promise.withResolvers<Parameters<typeof bench.worker.run>[0]>()
    await runDue({ ...bench, log }, { ...bench.worker, run: async (lease) => resolve(lease) })
    const slow = await asking
    const about = { eventId: (await bench.find())?.id ?? '', by: 'ann@example.com', reason: 'A concert tonight' }
    await createOptOutStore(bench.db).add(
      about,
      [{ id: newId('opt'), resourceName: 'battery' }],
      new Date(bench.clock.now()),
    )
    await createPollStore(bench.db).interrupt(bench.programId, timeOf(bench.clock))
    const { length } = bench.vtn.requests
    expect(await runDue({ ...bench, log }, bench.startWorker())).toBe(1)
    for (let round = 0; round < 12 && bench.held().length > 0; round += 1) {
      bench.process.engine.wake()
      await bench.pass(1)
    }
    expect(bench.held()).toEqual([])
    expect(bench.vtn.requests).toHaveLength(length)
    expect(await createPollStore(bench.db).hold(slow, 10_000)).toBe(false)
    bench.clock.step(5_000)
    await runDue({ ...bench, log }, bench.startWorker())
    expect(bench.vtn.requests.length).toBeGreaterThan(length)
  })
})
