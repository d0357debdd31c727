import { type ReportData, reportBody } from '@plantroom/openadr/report-body'
import type { Db } from '../../platform/db/database.ts'
import { baselineKwFrom } from './baseline-kw.ts'
import { createEventStore } from './event-store.ts'
import { measure } from './measure.ts'
import { createOptOutStore } from './opt-out-store.ts'
import type { StoredProgram } from './program-store.ts'
import { type Answers, dataFrom, questionsOf } from './report-data.ts'
import { createReportStore, type OpenReport } from './report-store.ts'

/** What a report says now. */
export interface MadeReport {
  /** `undefined` when nothing is known that it could say. */
  body: Record<string, unknown> | undefined
  /** What it lacks and what to do about it, for people; `undefined` when it lacks nothing. */
  lacks: string | undefined
}

/** Makes the body of a report from the archive, from baselines that the VTN published, and from what was placed. */
export async function makeReport(
  db: Db,
  program: StoredProgram,
  { due }: OpenReport,
  now: number,
): Promise<MadeReport> {
  const { settings } = program
  const bodyFrom = (data: ReportData) =>
    reportBody(due, { version: settings.version, clientName: settings.venName }, data)
  const questions = questionsOf(bodyFrom)
  const { lacks, ...archived } = await measure(db, program, questions, now)
  const [from, to] = [due.intervals[0]?.from, due.intervals.at(-1)?.to]
  if (from === undefined || to === undefined)
    return { body: bodyFrom(dataFrom({ ...archived, baselines: [], optOuts: [] }, [])), lacks }
  const [begin, end] = [new Date(from), new Date(to)]
  const placed = await createReportStore(db).placed(program.id, begin, end)
  const optOuts = (await createOptOutStore(db).since(program.id, begin)).filter(
    ({ eventId }) => eventId === due.event.id,
  )
  const events = questions.baselines.length === 0 ? [] : await createEventStore(db).knownAt(program.id, begin, end)
  const kwOf = baselineKwFrom(
    events.map(({ known }) => known).filter(({ event, anchor }) => (event.createdAt ?? anchor) < to),
    due.event.id,
    program,
  )
  const baselines: Answers['baselines'] = questions.baselines.map((one) => ({ ...one, kw: kwOf(one) }))
  const unknown = baselines.find(({ kw }) => kw === undefined)
  return {
    body: bodyFrom(dataFrom({ ...archived, baselines, optOuts }, placed)),
    lacks: unknown
      ? `no event had a baseline for ${unknown.resourceNames.join(', ')}: ask the operator of the VTN to publish it`
      : lacks,
  }
}
