import type { OpenadrMapping } from '@plantroom/contract/openadr'
import { expect, test } from 'vitest'
import { openBench } from './testing/bench.ts'

const CONNECTION: OpenadrMapping = {
  resources: [
    {
      resourceName: 'connection',
      rules: [
        {
          payload: 'CONSUMPTION_POWER_LIMIT',
          limit: { siteId: 'site', direction: 'import', averagingSeconds: 900 },
        },
      ],
    },
  ],
  onSilence: 'keep',
  silenceSeconds: 600,
}

async function openSwitch({ isCommissioned = true } = {}) {
  const bench = await openBench({ mapping: CONNECTION, profile: 'switch', version: '3.0' })
  if (isCommissioned) await bench.commissionLimits()
  const limit = (kw: number) =>
    bench.event(15, 15, [], {
      intervals: [{ id: 0, payloads: [{ type: 'CONSUMPTION_POWER_LIMIT', values: [kw] }] }],
      targets: [{ type: 'RESOURCE_NAME', values: ['connection'] }],
    })
  return { ...bench, limit }
}
type Bench = Awaited<ReturnType<typeof openSwitch>>
const limits = (bench: Bench) => [...bench.device(0).limits.values()].map(({ kw }) => kw)
async function pollAndReport(bench: Bench) {
  await bench.poll()
  await bench.sendReports()
}
const acknowledged = (bench: Bench) =>
  bench.vtn.reports.list().map(({ eventID, resources }) => ({ eventID, resources: JSON.stringify(resources) }))

test('a limit of an event reaches the controller as a power limit before it begins, and a change replaces it', async () => {
  const bench = await openSwitch()
  const { id } = bench.vtn.addEvent(bench.limit(60))
  await bench.poll()
  expect(limits(bench)).toEqual([60])
  const [event] = await bench.events()
  expect(event).toMatchObject({ state: 'upcoming', resources: ['connection'], problems: [] })
  expect(event?.placements).toMatchObject([{ kind: 'limit', direction: 'import', value: 60, state: 'queued' }])
  bench.vtn.changeEvent(id, bench.limit(40))
  await bench.poll()
  await bench.settle()
  expect(limits(bench)).toEqual([40])
})

test('a limit is released when its event is deleted', async () => {
  const bench = await openSwitch()
  const { id } = bench.vtn.addEvent(bench.limit(60))
  await bench.poll()
  bench.vtn.events.remove(id)
  await bench.poll()
  expect(limits(bench)).toEqual([])
  expect((await bench.events())[0]?.placements).toMatchObject([{ state: 'released' }])
})

test('a limit of a site that none of its controllers can keep says what to do, and is placed once one can', async () => {
  const bench = await openSwitch({ isCommissioned: false })
  bench.vtn.addEvent(bench.limit(60))
  await bench.poll()
  const [event] = await bench.events()
  expect(event?.placements).toMatchObject([{ state: 'refused', reason: expect.stringContaining('add powerLimit') }])
  await bench.commissionLimits()
  bench.clock.step(61_000)
  await bench.poll()
  expect(limits(bench)).toEqual([60])
})

test('a limit is acknowledged when it is read and again after each change, each once', async () => {
  const bench = await openSwitch()
  const { id } = bench.vtn.addEvent(bench.limit(60))
  await pollAndReport(bench)
  await pollAndReport(bench)
  expect(acknowledged(bench)).toMatchObject([
    { eventID: id, resources: expect.stringContaining('"type":"POWER_LIMIT_ACKNOWLEDGEMENT","values":[true]') },
  ])
  for (const kw of [40, 60]) {
    bench.vtn.changeEvent(id, bench.limit(kw))
    await pollAndReport(bench)
    await pollAndReport(bench)
  }
  // The last one says what the first one said, and is a change anyway.
  expect(acknowledged(bench)).toHaveLength(3)
})

test('an acknowledgement whose answer was lost is not sent twice', async () => {
  const bench = await openSwitch()
  bench.vtn.addEvent(bench.limit(60))
  bench.vtn.faults.losesReportAnswers = true
  await pollAndReport(bench)
  bench.vtn.faults.losesReportAnswers = false
  bench.clock.step(60_000)
  await pollAndReport(bench)
  expect(acknowledged(bench)).toHaveLength(1)
  expect(await bench.shownReports()).toMatchObject([{ state: 'sent' }])
})
