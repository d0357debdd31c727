import type { OpenadrMapping } from '@plantroom/contract/openadr'
import { expect, test } from 'vitest'
import { openBench } from './testing/bench.ts'

const rules: OpenadrMapping['resources'][number]['rules'] = [
  { payload: 'FLEX', limit: { siteId: 'site', direction: 'import', averagingSeconds: 900 } },
]
const GROUP: OpenadrMapping = {
  resources: [{ resourceName: 'group-1', rules, powerDatapointId: 'dp_0' }],
  onSilence: 'keep',
  silenceSeconds: 600,
}
const baseline = (programID: unknown, kw: number, targets = ['group-1']) => ({
  ...{ programID, eventName: 'Baseline', targets },
  intervals: [{ id: 0, payloads: [{ type: 'ACTIVE_BASELINE', values: [kw] }] }],
})

/** Half an hour of flexibility that is over, with its report due. */
async function openDelivery(mapping = GROUP, baselines = [50], targets = ['group-1']) {
  const bench = await openBench({ mapping, profile: 'nlflex-1.0', controllers: 2 })
  await bench.listDatapoints()
  const { vtn, program } = bench
  for (const kw of baselines) vtn.addEvent(baseline(program.id, kw, targets))
  vtn.addEvent({
    ...{ programID: program.id, eventName: 'Flex', targets },
    intervalPeriod: { start: bench.time(0), duration: 'PT30M' },
    intervals: [{ id: 0, payloads: [{ type: 'FLEX', values: [20] }] }],
    reportDescriptors: [{ payloadType: 'DELIVERED_FLEX' }],
  })
  await bench.poll()
  bench.clock.step(31 * 60_000)
  await bench.poll()
  bench.clock.step(30_000)
  return bench
}
type Bench = Awaited<ReturnType<typeof openDelivery>>
const sent = async (bench: Bench) => {
  await bench.sendReports()
  return JSON.parse(JSON.stringify(bench.vtn.reports.list()))
}
const delivered = (...values: number[]) => [
  {
    reportName: expect.stringContaining('DELIVERED_FLEX'),
    resources: [{ resourceName: 'AGGREGATED_REPORT', intervals: [{ payloads: [{ type: 'DELIVERED_FLEX', values }] }] }],
  },
]

test('delivered flexibility is the baseline minus what was measured, for each quarter of an hour', async () => {
  const bench = await openDelivery()
  await bench.measure(15, 28.5)
  await bench.measure(30, 60)
  expect(await sent(bench)).toMatchObject(delivered(21.5, 0))
})

test('a quarter of an hour that was not read keeps the report waiting, and is never sent as 0', async () => {
  const bench = await openDelivery()
  await bench.measure(15, 28.5)
  expect(await sent(bench)).toEqual([])
  bench.clock.step(3_600_000)
  expect(await sent(bench)).toEqual([])
  expect(await bench.shownReports()).toMatchObject([
    { state: 'waiting', error: expect.stringMatching(/group-1.*: 0 %.*Check that its controller is online/) },
  ])
  await bench.measure(30, 30, { coverage: 98 })
  bench.clock.step(400_000)
  expect(await sent(bench)).toMatchObject(delivered(21.5, 20))
  await bench.poll()
  expect(await sent(bench)).toHaveLength(1)
})

test('without a baseline nothing is sent, and the report says who must publish it', async () => {
  const bench = await openDelivery(GROUP, [])
  for (const end of [15, 30]) await bench.measure(end, 30)
  // It is published after the delivery: it was never in force.
  bench.vtn.addEvent(baseline(bench.program.id, 90))
  await bench.poll()
  expect(await sent(bench)).toEqual([])
  const error = expect.stringMatching(/no event had a baseline for group-1: ask the operator of the VTN/)
  expect(await bench.shownReports()).toMatchObject([{ state: 'waiting', error }])
})

test('without a datapoint that measures it nothing is sent, until the mapping names one', async () => {
  const bench = await openDelivery({ ...GROUP, resources: [{ resourceName: 'group-1', rules }] })
  for (const end of [15, 30]) await bench.measure(end, 30)
  expect(await sent(bench)).toEqual([])
  expect(await bench.shownReports()).toMatchObject([
    { state: 'waiting', error: expect.stringMatching(/no powerDatapointId for group-1/) },
  ])
  const { settings } = await bench.db.selectFrom('openadr_program').select('settings').executeTakeFirstOrThrow()
  await bench.db
    .updateTable('openadr_program')
    .set({ settings: JSON.stringify({ ...(settings as object), mapping: GROUP }) as never })
    .execute()
  bench.clock.step(400_000)
  expect(await sent(bench)).toMatchObject(delivered(20, 20))
})

test('the baseline of a group counts once, and the newest one that was published in time', async () => {
  const member = (index: number) => ({
    ...{ resourceName: `battery-${index}`, targets: ['group-1'], rules, powerDatapointId: `dp_${index}` },
  })
  const bench = await openDelivery({ ...GROUP, resources: [member(0), member(1)] }, [80])
  // A VTN takes a baseline back when it has a new one.
  const [old] = bench.vtn.events.list()
  bench.vtn.events.remove(String(old?.id))
  bench.vtn.addEvent(baseline(bench.program.id, 500))
  await bench.poll()
  for (const index of [0, 1]) for (const end of [15, 30]) await bench.measure(end, 30 + index, { index })
  expect(await sent(bench)).toMatchObject(delivered(19, 19))
})

/** A program whose event asks for the status of a group, and what the VTN got of it. */
async function openStatus() {
  const bench = await openBench({ mapping: GROUP, profile: 'nlflex-1.0' })
  await bench.listDatapoints()
  bench.vtn.addEvent({
    ...{ programID: bench.program.id, eventName: 'Status', targets: ['group-1'] },
    reportDescriptors: [{ payloadType: 'OPERATIONAL_STATUS', frequency: 0, repeat: -1 }],
  })
  const become = (online: boolean) =>
    bench.db
      .insertInto('device_presence')
      .values({ device_id: 'dev_0000', online, since: new Date(bench.clock.now()) })
      .onConflict((of) =>
        of
          .column('device_id')
          .doUpdateSet((set) => ({ online: set.ref('excluded.online'), since: set.ref('excluded.since') })),
      )
      .execute()
  const report = async () => {
    await bench.poll()
    return (await sent(bench)).map(
      (one: { resources: unknown }) => JSON.stringify(one.resources).match(/NORMAL|ERROR/)?.[0],
    )
  }
  return { bench, become, report }
}

test('the status of a group is reported when a controller of it goes and comes, each change once', async () => {
  const { bench, become, report } = await openStatus()
  // A controller that was never seen has no status.
  expect(await report()).toEqual([])
  for (const online of [true, false, true]) {
    await become(online)
    bench.clock.step(60_000)
    await report()
  }
  expect(await report()).toEqual(['NORMAL', 'ERROR', 'NORMAL'])
})

test('a status whose report was lost is sent again, even if the VTN has an older one that says the same', async () => {
  const { bench, become, report } = await openStatus()
  for (const online of [true, false]) {
    await become(online)
    bench.clock.step(60_000)
    await report()
  }
  await become(true)
  // An answer that does not say whether the report was stored. It was not.
  bench.vtn.faults.failures = Number.POSITIVE_INFINITY
  await report()
  bench.vtn.faults.failures = 0
  bench.clock.step(60_000)
  expect(await report()).toEqual(['NORMAL', 'ERROR', 'NORMAL'])
})
