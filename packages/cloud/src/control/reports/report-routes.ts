import type { CsvCell } from '@plantroom/base/csv'
import { API } from '@plantroom/contract/api'
import type { ReportCaller, ReportEntry } from '@plantroom/contract/reports'
import { parseTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { overrideViewOf, seesOverride } from '../../organization/access/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { sendCsv } from '../../platform/streams/index.ts'
import type { ChainStore } from './chain-store.ts'
import { createNaming, type DeviceNameStore, type NamedReport } from './device-name-store.ts'
import type { ReportStore, StoredReport } from './report-store.ts'
import { type HeadDeps, sendChain } from './send-chain.ts'

const MAX_LIMIT = 1000

/** Lists the audit entries of an organization. Keys and people see only the entries of their sites. */
export function reportRoutes(
  app: FastifyInstance,
  deps: {
    store: Pick<ReportStore, 'list'>
    chain: Pick<ChainStore, 'list'>
    names: Pick<DeviceNameStore, 'find'>
    head: HeadDeps
  },
): void {
  addRoute(app, API.listReports, async (request, reply) => {
    const { from, to, format, limit, cursor, ...filters } = request.query
    const query = {
      ...filters,
      organizationId: request.params.orgId,
      siteIds: request.siteIds,
      from: toDate(from),
      to: toDate(to),
    }
    if (format === 'chain') {
      const device = { organizationId: request.params.orgId, deviceId: filters.deviceId }
      return sendChain(request, reply, device, deps)
    }
    if (format === 'json') {
      const { reports, next } = await deps.store.list({ ...query, limit, cursor })
      return reply.type('application/json').send({ reports: visibleTo(request, reports), nextCursor: next })
    }
    const addNames = createNaming(deps)
    return sendCsv(reply, {
      filename: 'reports.csv',
      columns: REPORT_COLUMNS,
      cells: reportCells,
      async read(cursor) {
        const { reports, next } = await deps.store.list({ ...query, limit: MAX_LIMIT, cursor })
        return { items: await addNames(visibleTo(request, reports)), next }
      },
    })
  })
}

/**
 * The entries as a caller may see them: entries about overrides of others do not identify those. A key learns why its
 * override was cancelled, and not who of the building or of the other keys did it.
 */
function visibleTo(
  caller: Pick<FastifyRequest, 'keyId' | 'managedSiteIds'>,
  reports: readonly StoredReport[],
): ReportEntry[] {
  return reports.map(({ entry, siteId, owner }) => {
    const view = overrideViewOf(caller, siteId)
    if (!seesOverride(view, owner)) {
      return { ...entry, overrideId: null, reqId: null, placedBy: null, cancelledBy: null }
    }
    const { placedBy, cancelledBy } = entry
    const visible = (by: ReportCaller | null) =>
      by && (seesOverride(view, by.id) ? by : { ...by, id: null, name: null })
    return { ...entry, placedBy: visible(placedBy), cancelledBy: visible(cancelledBy) }
  })
}

/** Clamps to 1970: there are no earlier entries, and the database rejects some earlier times. */
function toDate(timestamp: string | undefined): Date | undefined {
  const ms = timestamp === undefined ? undefined : parseTimestamp(timestamp)
  return ms === undefined ? undefined : new Date(Math.max(0, ms))
}

type Column = readonly [name: string, cell: (report: NamedReport) => CsvCell | undefined]

const COLUMNS: readonly Column[] = [
  ['at', ({ entry }) => entry.at],
  ['code', ({ entry }) => entry.code],
  ['title', ({ entry }) => entry.title],
  ['phase', ({ entry }) => entry.phase],
  ['reason', ({ entry }) => entry.reason],
  ['deviceName', ({ names }) => names?.device],
  ['technicalSystemName', ({ entry, names }) => names?.technicalSystems.get(entry.technicalSystemId)],
  ['connectionName', ({ entry, names }) => names?.connections.get(entry.connectionId)],
  ['datapointName', ({ entry, names }) => names?.datapoints.get(entry.datapointId)],
  ['valueBefore', ({ entry }) => entry.valueBefore],
  ['value', ({ entry }) => entry.value],
  ['readBack', ({ entry }) => entry.readBack],
  ['deviceId', ({ entry }) => entry.deviceId],
  ['technicalSystemId', ({ entry }) => entry.technicalSystemId],
  ['connectionId', ({ entry }) => entry.connectionId],
  ['datapointId', ({ entry }) => entry.datapointId],
  ['overrideId', ({ entry }) => entry.overrideId],
  ['reqId', ({ entry }) => entry.reqId],
  ['id', ({ entry }) => entry.id],
  ['seq', ({ entry }) => entry.seq],
  ['placedById', ({ entry }) => entry.placedBy?.id],
  ['placedByName', ({ entry }) => entry.placedBy?.name],
  ['placedReason', ({ entry }) => entry.placedBy?.reason],
  ['cancelledById', ({ entry }) => entry.cancelledBy?.id],
  ['cancelledByName', ({ entry }) => entry.cancelledBy?.name],
  ['cancelledReason', ({ entry }) => entry.cancelledBy?.reason],
  ['inChargePriority', ({ entry }) => entry.inCharge?.priority],
  ['inChargeValue', ({ entry }) => entry.inCharge?.value],
  ['inChargeOutranks', ({ entry }) => entry.inCharge && String(entry.inCharge.outranks)],
]

export const REPORT_COLUMNS: readonly string[] = COLUMNS.map(([name]) => name)

/** The cells of one row. A name that no longer exists is empty. */
export const reportCells = (report: NamedReport): CsvCell[] => COLUMNS.map(([, cell]) => cell(report) ?? null)
