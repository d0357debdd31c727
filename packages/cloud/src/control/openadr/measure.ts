import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { createHistoryStore } from '../telemetry/index.ts'
import { findHeld } from './held-store.ts'
import { findMapped } from './mapped-store.ts'
import { meanOf, readSpans } from './measured-in.ts'
import type { StoredProgram } from './program-store.ts'
import type { Answers, Question } from './report-data.ts'
import { FEWEST_DAYS, USUAL_WITHIN_DAYS, type UsualPower, usualPower } from './usual-power.ts'

const COMPLETE = 95
const DAY_MS = 86_400_000

type Measurement = Pick<Answers, 'measured' | 'usual'> & {
  /** What is missing and what to do about it, for people; `undefined` when nothing is. */
  lacks: string | undefined
}

/** Answers from the archive what was measured, and what usually is. */
export async function measure(
  db: Db,
  { organizationId, settings }: StoredProgram,
  questions: { measured: readonly Question[]; usual: readonly Question[] },
  now: number,
): Promise<Measurement> {
  const history = createHistoryStore(db)
  const mapped = await findMapped(db, organizationId, settings.mapping)
  const sources = new Map(
    settings.mapping.resources.map(({ resourceName, rules, powerDatapointId, energyDatapointId }) => {
      const datapointId = energyDatapointId ?? powerDatapointId
      const place = datapointId === undefined ? undefined : mapped.measured.get(datapointId)
      const kind: 'power' | 'energy' = energyDatapointId === undefined ? 'power' : 'energy'
      const heldIds = rules.flatMap(({ datapointId: id, limit }) =>
        limit ? (mapped.meters.get(limit.siteId) ?? []).map((meter) => meter.id) : (id ?? []),
      )
      const of = place && datapointId !== undefined ? { deviceId: place.deviceId, datapointId } : undefined
      return [resourceName, { datapointId, of, kind, siteId: place?.siteId, heldIds }] as const
    }),
  )
  let lacks: string | undefined

  const measured: Answers['measured'][number][] = []
  for (const question of questions.measured) {
    const { of, kind = 'power', datapointId } = sources.get(question.resourceName) ?? {}
    const found = of && meanOf(await readSpans(history, of, question), question, kind)
    measured.push({ ...question, measured: found })
    lacks ??= lackOf(question.resourceName, datapointId, found?.coverage)
  }

  const usual: UsualPower[] = []
  for (const [resourceName, asked] of Map.groupBy(questions.usual, (question) => question.resourceName)) {
    const { of, kind = 'power', datapointId, siteId, heldIds = [] } = sources.get(resourceName) ?? {}
    if (!of || siteId === undefined) {
      lacks ??= lackOf(resourceName, datapointId, undefined)
      continue
    }
    const [first, last] = [Math.min(...asked.map(({ from }) => from)), Math.max(...asked.map(({ to }) => to))]
    const within = { from: new Date(first - (USUAL_WITHIN_DAYS + 1) * DAY_MS), to: new Date(last) }
    const held = heldIds.length === 0 ? [] : await findHeld(db, organizationId, heldIds, within)
    const found = await usualPower(history, { of, kind, timeZone: await timeZoneOf(db, siteId), held }, asked, now)
    usual.push(...found)
    const poor = found.find(({ kw }) => kw === undefined)
    if (poor) lacks ??= tooFewDays(poor, of.datapointId)
  }
  return { measured, usual, lacks }
}

async function timeZoneOf(db: Db, siteId: string): Promise<string> {
  const { rows } = await sql<{ timeZone: string }>`
    SELECT time_zone AS "timeZone" FROM site WHERE id = ${siteId}`.execute(db)
  return rows[0]?.timeZone ?? 'UTC'
}

function lackOf(resourceName: string, datapointId: string | undefined, coverage: number | undefined) {
  if (datapointId === undefined)
    return `the mapping has no powerDatapointId for ${resourceName}: name the datapoint that measures it`
  if (coverage === undefined)
    return `${datapointId}, which measures ${resourceName}, is not commissioned: correct the mapping`
  if (coverage >= COMPLETE) return undefined
  return `measurements of ${resourceName} are on their way: ${coverage} % of an interval is archived. Check that its controller is online and archives ${datapointId} in intervals that are not longer`
}

const tooFewDays = ({ resourceName, days }: UsualPower, datapointId: string) =>
  `the baseline of ${resourceName} needs ${FEWEST_DAYS} previous days of the same kind without an event, and ${days} of the last ${USUAL_WITHIN_DAYS} days are archived: check that its controller archives ${datapointId} in intervals`
