import type { Client, OperationInput } from '@plantroom/client/client'
import { pages } from '@plantroom/client/pages'
import { REPORT_CODES, type ReportCode, type ReportEntry } from '@plantroom/contract/reports'
import { HOLDING_WRITERS, WRITERS } from '@plantroom/contract/writers'
import { rangeOf, wholeNumber } from '../arguments.ts'
import { historyClient } from '../clients.ts'
import { COMMON_FLAGS, type Command, parse, positionals, UsageError } from '../command.ts'
import { print } from '../output.ts'
import { reportsTable } from '../tables.ts'

const LARGEST_PAGE = 1000
const CODES = HOLDING_WRITERS.map((name) => `${WRITERS[name].auditCode} ${WRITERS[name].label}`).join(', ')

export const reports: Command = {
  usage: `plantroom reports                       list what devices did to their datapoints, newest first
                                        --code N          only one writer: ${CODES}
                                        --system ID|NAME, --datapoint ID|NAME, --device ID
                                        --from TIME, --to TIME
                                        --limit N         print at most N (default 50), or --all

TIME is a time with a zone: 2026-03-01T12:00:00Z.
Uses the admin token if there is one, otherwise PLANTROOM_API_KEY, which limits the list to what the key can access.
Names work with the admin token; names of datapoints also work with a running demo.`,
  async run(args) {
    const { values: flags, positionals: given } = parse(args, {
      ...COMMON_FLAGS,
      system: { type: 'string' },
      datapoint: { type: 'string' },
      device: { type: 'string' },
      code: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      limit: { type: 'string' },
      all: { type: 'boolean' },
    })
    positionals(given)
    if (flags.all && flags.limit !== undefined) throw new UsageError('give only one of --limit N and --all')
    const limit = flags.all ? Number.POSITIVE_INFINITY : wholeNumber(flags.limit ?? '50', '--limit')
    const filters = { ...rangeOf(flags), ...(flags.code !== undefined && { code: codeOf(flags.code) }) }

    const { client, directory, orgId } = historyClient(flags)
    const { system, datapoint, device } = flags
    if (system !== undefined || datapoint !== undefined) await directory.learn(device === undefined ? device : [device])
    const { found, more } = await fetchNewest(client, orgId, limit, {
      ...filters,
      deviceId: device,
      technicalSystemId: system === undefined ? system : directory.systemId(system),
      datapointId: datapoint === undefined ? datapoint : directory.datapointId(datapoint),
    })

    if (!flags.json) await directory.learn(new Set(found.map(({ deviceId }) => deviceId)))
    const older = more ? '\n… there are older reports; use --limit N or --all' : ''
    print(flags.json, found, () => `${reportsTable(found, directory.datapointNames())}${older}`)
  },
}

/** Fetches up to `limit` reports, in pages of the largest size, and reports whether there are more. */
export async function fetchNewest(
  client: Pick<Client, 'listReports'>,
  orgId: string,
  limit: number,
  filters: OperationInput<'listReports'>['query'],
): Promise<{ found: ReportEntry[]; more: boolean }> {
  const found: ReportEntry[] = []
  const fetchPage = (cursor: string | undefined) =>
    client.listReports({
      orgId,
      query: { ...filters, limit: Math.min(LARGEST_PAGE, limit - found.length), cursor },
    })
  for await (const page of pages(fetchPage)) {
    found.push(...page.reports)
    if (found.length >= limit) return { found, more: page.nextCursor !== null }
  }
  return { found, more: false }
}

function codeOf(text: string): ReportCode {
  const codes = Object.keys(REPORT_CODES)
  if (!codes.includes(text)) throw new UsageError(`--code must be one of ${codes.join(', ')}, not ${text}`)
  return Number(text) as ReportCode
}
