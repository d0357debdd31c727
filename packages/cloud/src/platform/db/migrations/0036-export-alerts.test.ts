import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openJobBench } from '../../jobs/testing/job-bench.ts'
import { sql as exportAlerts } from './0036-export-alerts.ts'

test('exports that a schedule started say so, and other jobs stay as they are', async () => {
  const { db, accept } = await openJobBench()
  const jobs = { system: await accept('TICKET_EXPORT', 'a.fpl'), person: await accept('TICKET_IMPORT', 'a.fpl') }
  for (const [kind, id] of Object.entries(jobs)) {
    await sql`UPDATE job SET started_by = jsonb_build_object('kind', ${kind}::text) WHERE id = ${id}`.execute(db)
  }
  await db.schema.dropTable('automatic_export_look').execute()
  await sql.raw(exportAlerts).execute(db)
  const rows = await db.selectFrom('job').select(['id', 'started_by']).execute()
  expect(new Map(rows.map(({ id, started_by }) => [id, started_by?.kind]))).toEqual(
    new Map([
      [jobs.system, 'schedule'],
      [jobs.person, 'person'],
    ]),
  )
})
