import type { OpenadrMapping } from '@plantroom/contract/openadr'
import { describe, expect, test } from 'vitest'
import { BATTERY, openBench } from './testing/bench.ts'

const MEASURED: OpenadrMapping = {
  ...BATTERY,
  resources: BATTERY.resources.map((resource) => ({ ...resource, powerDatapointId: 'dp_0' })),
}
const asks = (...payloadTypes: string[]) => ({
  reportDescriptors: payloadTypes.map((payloadType) => ({ payloadType, startInterval: 0, numIntervals: 1 })),
})

/** A quarter of an hour that is over, with its reports due. */
async function openQuarter(...payloads: string[]) {
  const bench = await openBench({ mapping: MEASURED })
  await bench.listDatapoints()
  bench.vtn.addEvent(bench.event(0, 15, [10], asks(...payloads)))
  await bench.poll()
  bench.clock.step(16 * 60_000)
  return bench
}
const valuesOf = (report: Record<string, unknown> | undefined) => {
  const resources = report?.resources as
    | { intervals: { payloads: { type: string; values: unknown[] }[] }[] }[]
    | undefined
  return Object.fromEntries(
    (resources?.[0]?.intervals[0]?.payloads ?? []).map(({ type, values }) => [type, values[0]] as const),
  )
}

describe('a report', () => {
  test('of a setpoint is sent once its interval is over, and once only', async () => {
    const bench = await openQuarter('SETPOINT', 'OPERATING_STATE')
    await bench.poll()
    bench.clock.step(30_000)
    await bench.sendReports()
    await bench.poll()
    await bench.sendReports()
    const sent = bench.vtn.reports.list()
    expect(sent).toHaveLength(1)
    expect(valuesOf(sent[0])).toEqual({ SETPOINT: 10, OPERATING_STATE: 'RUNNING_NORMAL' })
    expect(await bench.shownReports()).toMatchObject([{ state: 'sent', eventName: 'Peak', resources: ['battery'] }])
  })

  test('whose answer was lost is looked for before it is sent again', async () => {
    const bench = await openQuarter('SETPOINT')
    await bench.poll()
    bench.clock.step(30_000)
    bench.vtn.faults.losesReportAnswers = true
    await bench.sendReports()
    expect(await bench.shownReports()).toMatchObject([
      { state: 'waiting', error: expect.stringMatching(/does not answer/) },
    ])
    bench.vtn.faults.losesReportAnswers = false
    bench.clock.step(60_000)
    await bench.sendReports()
    expect(bench.vtn.reports.list()).toHaveLength(1)
    expect(await bench.shownReports()).toMatchObject([{ state: 'sent' }])
  })

  test('whose answer was lost at a VTN that shows no reports is known to be there when it is refused as a second one', async () => {
    const bench = await openQuarter('SETPOINT')
    await bench.poll()
    bench.clock.step(30_000)
    Object.assign(bench.vtn.faults, { hidesReports: true, losesReportAnswers: true })
    await bench.sendReports()
    bench.vtn.faults.losesReportAnswers = false
    bench.clock.step(60_000)
    await bench.sendReports()
    expect(bench.vtn.reports.list()).toHaveLength(1)
    expect(await bench.shownReports()).toMatchObject([{ state: 'sent', error: null }])
  })

  test('that the VTN refuses is shown with its words, and not sent again', async () => {
    const bench = await openQuarter('SETPOINT')
    await bench.poll()
    bench.clock.step(30_000)
    bench.vtn.faults.distort = undefined
    await bench.db
      .updateTable('openadr_report')
      .set({ body: JSON.stringify({ eventID: 'event-1', surprise: true }) })
      .execute()
    await bench.sendReports()
    bench.clock.step(600_000)
    await bench.sendReports()
    const [shown] = await bench.shownReports()
    expect(shown).toMatchObject({ state: 'refused', status: 400, answer: expect.stringMatching(/400/) })
    expect(bench.vtn.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/reports'))).toHaveLength(
      1,
    )
    expect((await bench.state())?.counts.reportsRefused).toBe(1)
  })

  test('while the VTN is down waits, and is sent when it is back', async () => {
    const bench = await openQuarter('SETPOINT')
    await bench.poll()
    bench.clock.step(30_000)
    bench.vtn.faults.isDown = true
    await bench.sendReports()
    bench.vtn.faults.isDown = false
    bench.clock.step(120_000)
    await bench.sendReports()
    expect(bench.vtn.reports.list()).toHaveLength(1)
  })

  test('of the power waits for the measurements of its interval', async () => {
    const bench = await openQuarter('DEMAND', 'USAGE')
    await bench.poll()
    bench.clock.step(30_000)
    await bench.sendReports()
    expect(bench.vtn.reports.list()).toEqual([])
    await bench.measure(15, 8)
    bench.clock.step(60_000)
    await bench.sendReports()
    expect(valuesOf(bench.vtn.reports.list()[0])).toEqual({ DEMAND: 8, USAGE: 2 })
  })

  test.each([
    [100, { DEMAND: 8, DATA_QUALITY: 'OK' }],
    [70, { DEMAND: 8, DATA_QUALITY: 'ESTIMATED' }],
    [30, { DATA_QUALITY: 'BAD' }],
    [undefined, { DATA_QUALITY: 'MISSING' }],
  ])(
    'of a quarter of which %s %% was read says how good it is, and has no value for what was not read',
    async (coverage, values) => {
      const bench = await openQuarter('DEMAND', 'DATA_QUALITY')
      if (coverage !== undefined) await bench.measure(15, 8, { coverage })
      await bench.poll()
      bench.clock.step(11 * 60_000)
      await bench.sendReports()
      expect(valuesOf(bench.vtn.reports.list()[0])).toEqual(values)
    },
  )

  test('of an hour that one value stands for is not made from it', async () => {
    const bench = await openQuarter('DEMAND')
    await bench.measure(60, 8, { seconds: 3600 })
    await bench.poll()
    bench.clock.step(11 * 60_000)
    await bench.sendReports()
    expect(bench.vtn.reports.list()).toEqual([])
    expect(await bench.shownReports()).toMatchObject([
      {
        state: 'waiting',
        error: expect.stringMatching(/0 % of an interval is archived.*intervals that are not longer/),
      },
    ])
  })
})
