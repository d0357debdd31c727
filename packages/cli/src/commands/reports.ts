import type { Client, OperationInput } from '@plantroom/client/client'
import { pages } from '@plantroom/client/pages'
import { REPORT_CODES, type ReportCode, type ReportEntry } from '@plantroom/contract/reports'
import { HOLDING_WRITERS, WRITERS } from '@plantroom/contract/writers'
import { rangeOf, wholeNumber } from '../arguments.ts'
import { historyClient } from '../clients.ts'
import { COMMON_FLAGS, flag, UsageError, valued } from '../command.ts'
import { command, verb } from '../declare.ts'
import { print } from '../output.ts'
import { reportsTable } from '../tables.ts'

const LARGEST_PAGE = 1000
const CODES = HOLDING_WRITERS.map((name) => `${WRITERS[name].auditCode} ${WRITERS[name].label}`).join(', ')

export const reports = command('reports', {
  group: 'history',
  about: 'list what devices did to their datapoints',
  notes: `TIME is a time with a zone: 2026-03-01T12:00:00Z.
Uses the admin token if there is one, otherwise the API key, which sees its own sites. With an API key, names need --device.`,
  verbs: {
    '': verb({
      about: 'list what devices did to their datapoints, newest first',
      options: {
        ...COMMON_FLAGS,
        code: valued('N', `only one writer: ${CODES}`),
        system: valued('SYSTEM', 'only this technical system, by id or name'),
        datapoint: valued('DATAPOINT', 'only this datapoint, by id or name', { completes: 'datapoint' }),
        device: valued('DEVICE', 'only this device, by id or name', { completes: 'device' }),
        from: valued('TIME', 'only at or after'),
        to: valued('TIME', 'only before'),
        limit: valued('N', 'at most N; 50 by default'),
        all: flag('without a limit'),
      },
      json: '[{at, code, phase, reason, deviceId, datapointId, valueBefore, value, readBack, overrideId, …}]',
      async run(flags) {
        if (flags.all && flags.limit !== undefined) throw new UsageError('give only one of --limit N and --all')
        const limit = flags.all ? Number.POSITIVE_INFINITY : wholeNumber(flags.limit ?? '50', '--limit')
        const filters = { ...rangeOf(flags), ...(flags.code !== undefined && { code: codeOf(flags.code) }) }
        const { client, directory, orgId, ...service } = await historyClient(flags)
        const { system, datapoint } = flags
        const device = flags.device === undefined ? undefined : await service.deviceId()
        if (system !== undefined || datapoint !== undefined) {
          await directory.learn(device === undefined ? device : [device])
        }
        const { found, more } = await fetchNewest(client, orgId, limit, {
          ...filters,
          deviceId: device,
          technicalSystemId: system === undefined ? system : directory.systemId(system),
          datapointId: datapoint === undefined ? datapoint : directory.datapointId(datapoint),
        })
        // Names are optional: a device removed in the meantime has none, and its reports are shown with ids.
        if (!flags.json) await directory.learn(new Set(found.map(({ deviceId }) => deviceId))).catch(() => {})
        const older = more ? '\n… there are older reports; use --limit N or --all' : ''
        print(flags.json, found, () => `${reportsTable(found, directory.datapointNames())}${older}`)
      },
    }),
  },
})

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
