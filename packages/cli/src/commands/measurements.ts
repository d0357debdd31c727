import { pages } from '@plantroom/client/pages'
import { type MeasurementPage, type MeasurementSteps, pageOf, stepsOf } from '@plantroom/contract/api'
import { rangeOf, wholeNumber } from '../arguments.ts'
import { DEVICE_FLAGS, historyClient } from '../clients.ts'
import { flag, UsageError, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { print, table } from '../output.ts'

const LARGEST_PAGE = 10_000

export const measurements = command('measurements', {
  group: 'history',
  about: 'list the archived values of a datapoint',
  notes: `TIME is a time with a zone: 2026-03-01T12:00:00Z.
Uses the admin token if there is one, otherwise the API key.`,
  verbs: {
    '': verb({
      about: 'list the archived values of a datapoint, oldest first',
      arguments: [{ name: 'DATAPOINT', about: 'by id or name', completes: 'datapoint' }],
      options: {
        ...DEVICE_FLAGS,
        from: valued('TIME', 'at or after; by default the last 24 hours'),
        to: valued('TIME', 'before'),
        step: valued('SECONDS', 'mean, lowest, highest and last value of each step, and how much of it is covered'),
        points: valued('N', 'the same, with at most N steps (2 to 5000)'),
        csv: flag(
          'print CSV as it arrives, with the quality of each value: complete, partial or samples; gaps go to stderr',
        ),
      },
      json: '{measurements: [{at, value, mean, min, max, seconds, coverage}], gaps: [{from, to, dropped}]}; with --step or --points {step, points: [{at, min, mean, max, last, count, coverage}], gaps}',
      async run(flags, { DATAPOINT }) {
        if (flags.csv && flags.json) throw new UsageError('give only one of --csv and --json')
        const range = rangeOf(flags)
        const steps = stepsWanted(flags)
        const { client, directory, orgId, ...service } = await historyClient(flags)
        const deviceId = await service.deviceId()
        await directory.learn([deviceId])
        const datapoint = { orgId, deviceId, datapointId: directory.datapointId(DATAPOINT) }
        if (steps) {
          const found = stepsOf(await client.listMeasurements({ ...datapoint, query: { ...range, ...steps } }))
          return printSteps(found, flags)
        }
        const read = pages(async (cursor) =>
          pageOf(await client.listMeasurements({ ...datapoint, query: { ...range, limit: LARGEST_PAGE, cursor } })),
        )

        if (flags.csv) return printCsv(read)
        const all = await collectPages(read)
        print(flags.json, all, () => [valuesTable(all), ...all.gaps.map(gapLine)].join('\n'))
      },
    }),
  },
})

function stepsWanted(flags: { step?: string | undefined; points?: string | undefined }) {
  if (flags.step !== undefined && flags.points !== undefined)
    throw new UsageError('give only one of --step and --points')
  if (flags.step !== undefined) return { step: wholeNumber(flags.step, '--step') }
  return flags.points === undefined ? undefined : { points: wholeNumber(flags.points, '--points') }
}

/** Prints steps as CSV, as JSON or as a table. */
function printSteps(found: MeasurementSteps, flags: { csv?: boolean | undefined; json?: boolean | undefined }): void {
  const rows = found.points.map(({ at, min, mean, max, last, count, coverage }) =>
    [at, min, mean, max, last ?? '', count, ...qualityOf(coverage)].map(String),
  )
  if (flags.csv) {
    console.log(['at,min,mean,max,last,count,coverage,quality', ...rows.map((row) => row.join(','))].join('\n'))
    for (const gap of found.gaps) console.error(`plantroom measurements: ${gapLine(gap)}`)
    return
  }
  const columns = ['AT', 'MIN', 'MEAN', 'MAX', 'LAST', 'COUNT', 'COVERAGE %', 'QUALITY']
  print(flags.json, found, () => [table(columns, rows, NO_VALUES), ...found.gaps.map(gapLine)].join('\n'))
}

/** Returns the coverage, and in a word how much is known. Samples of older controllers have no coverage. */
function qualityOf(coverage: number | null | undefined): [string, 'samples' | 'complete' | 'partial'] {
  if (typeof coverage !== 'number') return ['', 'samples']
  return [String(coverage), coverage === 100 ? 'complete' : 'partial']
}

type Archive = Omit<MeasurementPage, 'nextCursor'>

/** Joins all pages. Lists a gap once, even if several pages mention it. */
export async function collectPages(read: AsyncIterable<Archive>): Promise<Archive> {
  const found: Archive['measurements'][number][] = []
  const gaps = new Map<string, Archive['gaps'][number]>()
  for await (const page of read) {
    for (const measurement of page.measurements) found.push(measurement)
    for (const gap of page.gaps) gaps.set(`${gap.from} ${gap.to}`, gap)
  }
  return { measurements: found, gaps: [...gaps.values()] }
}

/** Prints lines as they arrive, so that an archive of years need not fit into memory. Gaps go to stderr. */
async function printCsv(read: AsyncIterable<Archive>): Promise<void> {
  console.log('at,value,mean,min,max,coverage,quality')
  const printed = new Set<string>()
  for await (const { measurements, gaps } of read) {
    if (measurements.length > 0) console.log(measurements.map((each) => rowOf(each).join(',')).join('\n'))
    for (const line of gaps.map(gapLine).filter((line) => !printed.has(line))) {
      printed.add(line)
      console.error(`plantroom measurements: ${line}`)
    }
  }
}

function valuesTable({ measurements }: Archive): string {
  return table(['AT', 'LAST', 'MEAN', 'MIN', 'MAX', 'COVERAGE %', 'QUALITY'], measurements.map(rowOf), NO_VALUES)
}

export function rowOf({ at, value, mean, min, max, coverage }: Archive['measurements'][number]): string[] {
  return [at, value, mean ?? '', min ?? '', max ?? '', ...qualityOf(coverage)].map(String)
}

const NO_VALUES = 'no measurements; a datapoint is archived every analyticsInterval seconds, or never if that is 0'

export function gapLine({ from, to, dropped }: Archive['gaps'][number]): string {
  return `gap from ${from} to ${to}: the device ran out of space and dropped ${dropped} values of all its datapoints`
}
