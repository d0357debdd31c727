import type { DueReport } from '@plantroom/openadr/due-reports'
import { type ReportData, reportBody } from '@plantroom/openadr/report-body'
import type { Db } from '../../platform/db/database.ts'
import { createHistoryStore } from '../telemetry/index.ts'
import { baselineKwFrom } from './baseline-kw.ts'
import { createEventStore } from './event-store.ts'
import { findMapped } from './mapped-store.ts'
import { measuredIn } from './measured-in.ts'
import type { StoredProgram } from './program-store.ts'
import { type Answers, dataFrom, type Question, questionsOf } from './report-data.ts'
import { createReportStore, type OpenReport } from './report-store.ts'

const COMPLETE = 95

/** What a report says now. */
export interface MadeReport {
  /** `undefined` when nothing is known that it could say. */
  body: Record<string, unknown> | undefined
  /** What it lacks and what to do about it, for people; `undefined` when it lacks nothing. */
  lacks: string | undefined
}

/** Makes the body of a report from the archive, from baselines that the VTN published, and from what was placed. */
export async function makeReport(db: Db, program: StoredProgram, { due }: OpenReport): Promise<MadeReport> {
  const { settings } = program
  const bodyFrom = (data: ReportData) =>
    reportBody(due as unknown as DueReport, { version: settings.version, clientName: settings.venName }, data)
  const questions = questionsOf(bodyFrom)
  const { measured, lacks } = await measure(db, program, questions.measured)
  const [from, to] = [due.intervals[0]?.from, due.intervals.at(-1)?.to]
  if (from === undefined || to === undefined)
    return { body: bodyFrom(dataFrom({ measured, baselines: [] }, [])), lacks }
  const [begin, end] = [new Date(from), new Date(to)]
  const placed = await createReportStore(db).placed(program.id, begin, end)
  const events = questions.baselines.length === 0 ? [] : await createEventStore(db).knownAt(program.id, begin, end)
  const kwOf = baselineKwFrom(
    events.map(({ known }) => known).filter(({ event, anchor }) => (event.createdAt ?? anchor) < to),
    due.event.id,
    program,
  )
  const baselines: Answers['baselines'] = questions.baselines.map((one) => ({ ...one, kw: kwOf(one) }))
  const unknown = baselines.find(({ kw }) => kw === undefined)
  return {
    body: bodyFrom(dataFrom({ measured, baselines }, placed)),
    lacks: unknown
      ? `no event had a baseline for ${unknown.resourceNames.join(', ')}: ask the operator of the VTN to publish it`
      : lacks,
  }
}

async function measure(
  db: Db,
  { organizationId, settings }: StoredProgram,
  questions: readonly Question[],
): Promise<{ measured: Answers['measured']; lacks: string | undefined }> {
  const resources = new Map(settings.mapping.resources.map((resource) => [resource.resourceName, resource]))
  const { measured: places } = await findMapped(db, organizationId, settings.mapping)
  const history = createHistoryStore(db)
  const measured: Answers['measured'][number][] = []
  let lacks: string | undefined
  for (const question of questions) {
    const { powerDatapointId, energyDatapointId } = resources.get(question.resourceName) ?? {}
    const datapointId = energyDatapointId ?? powerDatapointId
    const place = datapointId === undefined ? undefined : places.get(datapointId)
    const kind = energyDatapointId === undefined ? 'power' : 'energy'
    const of = place && datapointId !== undefined && { deviceId: place.deviceId, datapointId }
    const found = of ? await measuredIn(history, of, question, kind) : undefined
    measured.push({ ...question, measured: found })
    lacks ??= lackOf(question.resourceName, datapointId, found?.coverage)
  }
  return { measured, lacks }
}

function lackOf(resourceName: string, datapointId: string | undefined, coverage: number | undefined) {
  if (datapointId === undefined)
    return `the mapping has no powerDatapointId for ${resourceName}: name the datapoint that measures it`
  if (coverage === undefined)
    return `${datapointId}, which measures ${resourceName}, is not commissioned: correct the mapping`
  if (coverage >= COMPLETE) return undefined
  return `measurements of ${resourceName} are on their way: ${coverage} % of an interval is archived. Check that its controller is online and archives ${datapointId} in intervals that are not longer`
}
