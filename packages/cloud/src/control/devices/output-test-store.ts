import type { OutputTest } from '@plantroom/contract/api'
import { judgeMeter, type MeterTestSettings } from '@plantroom/contract/judge-meter'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { type Page, type PageQuery, readPage } from '../../platform/db/page.ts'
import type { Schema } from '../../platform/db/schema.ts'

/** So many tests of one meter are looked at for one that says something. */
const MOST_JUDGED = 50

interface NewTest {
  deviceId: string
  id: string
  datapoint: { id: string; name: string }
  value: number
  seconds: number
  meter: { id: string; name: string } | null
  settings: MeterTestSettings | null
  wiring: string | null
  startedAt: Date
  by: string | null
}

export type OutputTestStore = ReturnType<typeof createOutputTestStore>

/** Tests of outputs. What the controller read in them is in its audit. */
export function createOutputTestStore(db: Db) {
  const tests = (deviceId: string) =>
    db
      .selectFrom('output_test')
      .leftJoin('report', (join) =>
        join
          .onRef('report.device_id', '=', 'output_test.device_id')
          .onRef('report.override_id', '=', 'output_test.override_id')
          .on('report.phase', '=', 'tested'),
      )
      .where('output_test.device_id', '=', deviceId)
      .selectAll('output_test')
      .select(['report.at', 'report.reason', 'report.test'])

  return {
    /** Safe to repeat. */
    async add(test: NewTest): Promise<void> {
      await db
        .insertInto('output_test')
        .values({
          device_id: test.deviceId,
          override_id: test.id,
          datapoint_id: test.datapoint.id,
          datapoint_name: test.datapoint.name,
          value: test.value,
          seconds: test.seconds,
          meter_id: test.meter?.id ?? null,
          meter_name: test.meter?.name ?? null,
          settings: test.settings && JSON.stringify(test.settings),
          wiring: test.wiring,
          started_at: test.startedAt,
          started_by: test.by,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    /** Lists the tests of a device, the newest first. */
    list: (deviceId: string, page: PageQuery): Promise<Page<OutputTest>> =>
      readPage(tests(deviceId), page, { by: 'number', order: 'desc' }, toTest),

    async find(deviceId: string, id: string): Promise<OutputTest | undefined> {
      const row = await tests(deviceId).where('output_test.override_id', '=', id).executeTakeFirst()
      return row && toTest(row)
    },

    async answer(deviceId: string, id: string, answer: { moved: boolean; note: string | null; at: Date }) {
      await db
        .updateTable('output_test')
        .where('device_id', '=', deviceId)
        .where('override_id', '=', id)
        .set({ moved: answer.moved, note: answer.note, answered_at: answer.at })
        .execute()
    },

    /** Returns when the newest test of this wiring that says something confirmed a meter; `undefined` when it did not. */
    async confirmedAt(deviceId: string, wirings: readonly string[]): Promise<Date | undefined> {
      if (wirings.length === 0) return undefined
      const rows = await tests(deviceId)
        .where('output_test.wiring', '=', sql<string>`ANY(${[...wirings]}::text[])`)
        .where('report.test', 'is not', null)
        .orderBy('output_test.number', 'desc')
        .limit(MOST_JUDGED)
        .execute()
      const telling = rows.find((row) => toTest(row).judgement?.verdict !== 'unclear' && row.settings)
      const follows = telling && toTest(telling).judgement?.verdict === 'follows' && telling.moved !== false
      return follows ? (telling.at ?? undefined) : undefined
    },
  }
}

type TestRow = Selectable<Schema['output_test']> & {
  [Field in 'at' | 'reason' | 'test']: Schema['report'][Field] | null
}

function toTest(row: TestRow): OutputTest {
  const { at, reason, test, settings } = row
  return {
    id: row.override_id,
    datapoint: { id: row.datapoint_id, name: row.datapoint_name },
    value: row.value,
    seconds: row.seconds,
    meter: row.meter_id === null ? null : { id: row.meter_id, name: row.meter_name ?? row.meter_id },
    startedAt: row.started_at.toISOString(),
    by: row.started_by,
    result: at && reason && test ? { at: at.toISOString(), reason, ...test } : null,
    judgement: test && settings ? judgeMeter(test, settings) : null,
    moved: row.moved,
    note: row.note,
    answeredAt: row.answered_at?.toISOString() ?? null,
  }
}
