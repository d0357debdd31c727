import type { OpenadrMapping } from '@plantroom/contract/openadr'
import { describe, expect, test } from 'vitest'
import { BATTERY, openBench } from './testing/bench.ts'
import { sameTimeBefore } from './usual-times.ts'

const DAY = 24 * 60
const MEASURED: OpenadrMapping = {
  ...BATTERY,
  resources: BATTERY.resources.map((resource) => ({ ...resource, powerDatapointId: 'dp_0' })),
}
/** The test begins on a Tuesday: so many days before are Monday, Sunday, Saturday, Friday and so on. */
const KW_BY_DAY = [10, 900, 900, 20, 30, 40, 50, 1000]

async function openAsked(more: object = {}, payloads = ['BASELINE', 'DATA_QUALITY']) {
  const bench = await openBench({ mapping: MEASURED })
  await bench.listDatapoints()
  const reportDescriptors = payloads.map((payloadType) => ({ payloadType, startInterval: 0, numIntervals: 1, ...more }))
  return {
    ...bench,
    /** Asks for the baseline of a quarter of an hour, and returns what was sent about it when it is over. */
    async ask(startMinutes = 0) {
      bench.vtn.addEvent(bench.event(startMinutes, 15, [10], { reportDescriptors }))
      await bench.poll()
      bench.clock.step(16 * 60_000)
      await bench.poll()
      bench.clock.step(30_000)
      await bench.sendReports()
      return valuesOf(bench.vtn.reports.list().at(-1))
    },
  }
}
type Bench = Awaited<ReturnType<typeof openAsked>>
const measureDays = async (bench: Bench, kws: readonly number[], about: (day: number) => object = () => ({})) => {
  for (const [index, kw] of kws.entries()) await bench.measure(15 - (index + 1) * DAY, kw, about(index + 1))
}
const valuesOf = (report: Record<string, unknown> | undefined) =>
  [...JSON.stringify(report?.resources ?? []).matchAll(/"type":"(\w+)","values":\[([^\]]*)\]/g)].map(
    ([, type, value]) => [type, value],
  )

describe('a baseline', () => {
  test('is the mean of the same quarter on the five newest days of the same kind', async () => {
    const bench = await openAsked()
    await measureDays(bench, KW_BY_DAY)
    expect(await bench.ask()).toEqual([
      ['BASELINE', '30'],
      ['DATA_QUALITY', '"ESTIMATED"'],
    ])
  })

  test('leaves out a day of which less than half was read, and takes an older one', async () => {
    const bench = await openAsked()
    await measureDays(bench, KW_BY_DAY, (day) => (day === 5 ? { coverage: 30 } : {}))
    expect((await bench.ask())[0]).toEqual(['BASELINE', '224'])
  })

  test('leaves out a day on which an event was in force at this time', async () => {
    const bench = await openAsked()
    await measureDays(bench, KW_BY_DAY)
    await bench.measure(15, 5000)
    bench.vtn.addEvent(bench.event(0, 15, [3]))
    await bench.poll()
    bench.clock.step(DAY * 60_000)
    expect((await bench.ask(DAY))[0]).toEqual(['BASELINE', '30'])
  })

  test('is sent when its time begins, where the VTN asks for a forecast', async () => {
    const bench = await openAsked({ historical: false })
    await measureDays(bench, KW_BY_DAY)
    bench.vtn.addEvent(
      bench.event(0, 15, [10], {
        reportDescriptors: [{ payloadType: 'BASELINE', startInterval: 0, numIntervals: 1, historical: false }],
      }),
    )
    await bench.poll()
    await bench.sendReports()
    expect(valuesOf(bench.vtn.reports.list()[0])).toEqual([['BASELINE', '30']])
  })

  test('of fewer than three days is not sent, and the report says what it needs', async () => {
    const bench = await openAsked({}, ['BASELINE'])
    await measureDays(bench, [10, 900, 900, 20])
    expect(await bench.ask()).toEqual([])
    expect(await bench.shownReports()).toMatchObject([
      {
        state: 'waiting',
        error: expect.stringMatching(/baseline of battery needs 3 previous days.*and 2 of the last 45/),
      },
    ])
  })
})

describe('the same time of a day before', () => {
  const at = (text: string) => Date.parse(text)
  const quarter = (text: string) => ({ from: at(text), to: at(text) + 900_000 })
  test.each([
    ['keeps the local time when the clocks change', '2026-03-30T07:00:00Z', 3, '2026-03-27T08:00:00Z'],
    ['is not there on a day of another kind', '2026-03-30T07:00:00Z', 1, undefined],
    ['compares Saturdays with Sundays', '2026-03-29T07:00:00Z', 1, '2026-03-28T08:00:00Z'],
  ])('%s', (_name, from, days, expected) => {
    const found = sameTimeBefore(quarter(from), days, 'Europe/Berlin')
    expect(found).toEqual(expected === undefined ? undefined : quarter(expected))
  })

  test('is not there for more than a day', () => {
    const from = at('2026-03-30T07:00:00Z')
    expect(sameTimeBefore({ from, to: from + 90_000_000 }, 3, 'UTC')).toBeUndefined()
  })
})
