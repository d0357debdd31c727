import { newId } from '@plantroom/base/ids'
import { dueReports } from '@plantroom/openadr/due-reports'
import type { Db } from '../../platform/db/database.ts'
import type { CurrentEvent } from './event-store.ts'
import { createOptOutStore, type OptOutSpan } from './opt-out-store.ts'
import type { StoredProgram } from './program-store.ts'
import { eventMapping, profileOf } from './read-program.ts'
import { createReportStore } from './report-store.ts'
import { findStatuses } from './status-store.ts'

/** How late a report may be: after an outage of the service, older ones are of no use to anyone. */
export const LOOKBACK_MS = 3 * 86_400_000
/** For the last measurements of an interval to arrive. */
const GRACE_MS = 20_000

/** Adds the reports that are due, each once, in a transaction in which the program is locked. Returns when to look again. */
export async function addReports(
  tx: Db,
  program: StoredProgram,
  events: readonly CurrentEvent[],
  now: number,
): Promise<number> {
  const { settings, found } = program
  const store = createReportStore(tx)
  const before = await store.keys(program.id, new Date(now - 2 * LOOKBACK_MS))
  const profile = profileOf(settings)
  const asksForStatuses = events.some(({ known }) =>
    known.event.reportDescriptors.some(
      ({ payloadType }) =>
        Object.hasOwn(profile.reports, payloadType) && profile.reports[payloadType]?.content === 'operational-status',
    ),
  )
  const { due, nextAt } = dueReports(
    events.map(({ known }) => known),
    {
      mapping: eventMapping(settings.mapping),
      profile,
      statuses: asksForStatuses ? await findStatuses(tx, program) : [],
      optOuts: changesOf(await createOptOutStore(tx).since(program.id, new Date(now - LOOKBACK_MS))),
      addressee: {
        venName: settings.venName,
        venTargets: found.venTargets ?? [],
        resources: found.resources ?? [],
      },
      isSent: (key) => before.has(key),
      lookbackMs: LOOKBACK_MS,
    },
    now,
  )
  const rows = new Map(events.map(({ id, known }) => [known.event.id, id]))
  await store.add(
    program,
    due.map((report) => ({
      id: newId('rep'),
      eventId: rows.get(report.event.id) ?? '',
      report,
      dueAt: new Date(report.intervals.length > 0 && !report.isForecast ? Math.max(now, report.dueAt + GRACE_MS) : now),
    })),
  )
  return nextAt ?? Number.POSITIVE_INFINITY
}

/** Each beginning and each end of an opt-out is reported. */
const changesOf = (spans: readonly OptOutSpan[]) =>
  spans.flatMap(({ eventId, resourceName, from, to }) => [
    { eventId, resourceName, isOut: true, since: from.getTime() },
    ...(to ? [{ eventId, resourceName, isOut: false, since: to.getTime() }] : []),
  ])
