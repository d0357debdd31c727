import type { OperationReply } from '@plantroom/client/client'
import { pages } from '@plantroom/client/pages'
import { rangeOf } from '../arguments.ts'
import { deviceOf, historyClient } from '../clients.ts'
import { COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print, table } from '../output.ts'

const LARGEST_PAGE = 10_000

export const measurements: Command = {
  usage: `plantroom measurements DATAPOINT        list the archived values of a datapoint, oldest first
                                        --from TIME, --to TIME   default: the last 24 hours
                                        --csv             print CSV: at,value

TIME is a time with a zone: 2026-03-01T12:00:00Z.
DATAPOINT is an id; with the admin token or a running demo it may be a name.
Uses the admin token if there is one, otherwise PLANTROOM_API_KEY. Set PLANTROOM_DEVICE or use --device.`,
  async run(args) {
    const { values: flags, positionals: given } = parse(args, {
      ...COMMON_FLAGS,
      device: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      csv: { type: 'boolean' },
    })
    const { DATAPOINT } = positionals(given, 'DATAPOINT')
    if (flags.csv && flags.json) throw new UsageError('give only one of --csv and --json')
    const range = rangeOf(flags)
    const { client, directory, orgId, config } = historyClient(flags)
    const deviceId = deviceOf(config)
    await directory.learn([deviceId])
    const datapoint = { orgId, deviceId, datapointId: directory.datapointId(DATAPOINT) }
    const read = pages((cursor) =>
      client.listMeasurements({ ...datapoint, query: { ...range, limit: LARGEST_PAGE, cursor } }),
    )

    if (flags.csv) return printCsv(read)
    const all = await collectPages(read)
    print(flags.json, all, () => [valuesTable(all), ...all.gaps.map(gapLine)].join('\n'))
  },
}

type Archive = Omit<OperationReply<'listMeasurements'>, 'nextCursor'>

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
  console.log('at,value')
  const printed = new Set<string>()
  for await (const { measurements, gaps } of read) {
    if (measurements.length > 0) console.log(measurements.map(({ at, value }) => `${at},${value}`).join('\n'))
    for (const line of gaps.map(gapLine).filter((line) => !printed.has(line))) {
      printed.add(line)
      console.error(`plantroom measurements: ${line}`)
    }
  }
}

function valuesTable({ measurements }: Archive): string {
  const rows = measurements.map(({ at, value }) => [at, String(value)])
  return table(
    ['AT', 'VALUE'],
    rows,
    'no measurements; a datapoint is archived every analyticsInterval seconds, or never if that is 0',
  )
}

export function gapLine({ from, to, dropped }: Archive['gaps'][number]): string {
  return `gap from ${from} to ${to}: the device ran out of space and dropped ${dropped} values of all its datapoints`
}
