import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openImportBench, requestWith } from './testing/import-bench.ts'
import { rowsRead } from './testing/rows-read.ts'

const REQUESTS = 400
const BATCH = 40
const EVERYTHING = { units: { create: true }, people: { create: true } }

const named = (name: string) => ({
  unit: name,
  tags: [name],
  assignee: `${name}@x.ee`,
  watchers: [`${name}@x.ee`],
  comments: [{ content: 'x', author: { email: `${name}@x.ee` } }],
})

test('a preview and an import read as many rows as they have names, not as many as the site has', async () => {
  const bench = await openImportBench({ batchRequests: BATCH })
  const site = await bench.addSite()
  // The database believes that every table has one row, and keeps the plans that it makes for that.
  await bench.importRequests(site, [named('first')], {}, EVERYTHING)
  await sql`ANALYZE`.execute(bench.db)
  const tickets = Array.from({ length: REQUESTS }, (_, index) =>
    requestWith({ externalId: `N-${index}`, ...named(index < BATCH ? 'first' : `n${index}`) }),
  )
  const uploaded = await bench.upload(site, tickets)
  const job = (name: 'PREVIEW_TICKET_IMPORT' | 'TICKET_IMPORT') => bench.startJob(site, name, uploaded, EVERYTHING)

  const preview = await job('PREVIEW_TICKET_IMPORT')
  const previewed = await rowsRead(bench, (db) => bench.preview(preview, { db }))
  const started = await job('TICKET_IMPORT')
  const imported = await rowsRead(bench, (db) => bench.import(started, { db }))
  for (const table of ['ticket', 'unit', 'tag', 'person', 'job_finding']) {
    expect.soft((previewed[table] ?? 0) / REQUESTS, `${table} in the preview`).toBeLessThan(20)
    expect.soft((imported[table] ?? 0) / REQUESTS, `${table} in the import`).toBeLessThan(40)
  }
  expect(imported.ticket).toBeGreaterThan(REQUESTS)
  // Once per batch, because a running job has many versions until a long batch ends.
  expect((previewed.job ?? 0) / REQUESTS).toBeLessThan(0.5)
  expect((imported.job ?? 0) / REQUESTS).toBeLessThan(0.5)
  expect(await site.units()).toHaveLength(1 + REQUESTS - BATCH)

  await sql`DELETE FROM job WHERE id = ${preview.id}`.execute(bench.db)
  const jobs = await bench.db.selectFrom('job_finding').select('job_id').distinct().execute()
  expect(jobs.map(({ job_id }) => job_id)).toEqual(expect.arrayContaining([started.id]))
  expect(jobs.map(({ job_id }) => job_id)).not.toContain(preview.id)
})
