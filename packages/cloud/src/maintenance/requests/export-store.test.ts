import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { openImportBench, requestWith } from '../packages/testing/import-bench.ts'
import { rowsRead } from '../packages/testing/rows-read.ts'
import { createExportStore } from './export-store.ts'
import { createRequestListStore } from './request-list-store.ts'

const idle = (bench: Awaited<ReturnType<typeof openImportBench>>) =>
  sql`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND state LIKE 'idle in transaction%'`
    .execute(bench.otherDb)
    .then(({ rows }) => rows.length)

describe('the snapshot of a site', () => {
  test('counts equal files once, and texts in bytes', async () => {
    const bench = await openImportBench()
    const [site, other] = [await bench.addSite(), await bench.addSite()]
    const attachments = [{ path: 'attachments/a' }, { path: 'attachments/b' }, { path: 'attachments/c' }]
    const contents = { 'attachments/a': 'same', 'attachments/b': 'same', 'attachments/c': 'different' }
    const ticket = requestWith({ description: 'õõ', notes: 'n', comments: [{ content: 'abc', attachments }] })
    for (const each of [site, other]) await bench.importRequests(each, [{ ...ticket, attachments }], contents)
    await using snapshot = await createExportStore(bench.db).open(site.id)
    expect(snapshot.totals).toEqual({ tickets: 1, comments: 1, attachments: 6, textBytes: 8, files: 2, fileBytes: 13 })
  })

  test('of a site without requests is empty', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await using snapshot = await createExportStore(bench.db).open(site.id)
    const totals = { tickets: 0, comments: 0, attachments: 0, textBytes: 0, files: 0, fileBytes: 0 }
    expect([snapshot.totals, (await snapshot.requests().next()).done]).toEqual([totals, true])
  })

  test('releases its connection when it is closed, even twice, and when the site does not exist', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const store = createExportStore(bench.db)
    const snapshot = await store.open(site.id)
    expect(await idle(bench)).toBe(1)
    await snapshot.close()
    await snapshot.close()
    await expect(store.open('site_none')).rejects.toThrow()
    expect(await idle(bench)).toBe(0)
  })

  test('reads one request per page when its text exceeds the page size', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const tickets = [10, 5000, 10, 10].map((length, index) => requestWith({ description: 'x'.repeat(length) }, index))
    await bench.importRequests(site, tickets)
    await using snapshot = await createExportStore(bench.db, { pageBytes: 100 }).open(site.id)
    const lengths: (number | undefined)[] = []
    for await (const { description } of snapshot.requests()) lengths.push(description?.length)
    expect(lengths).toEqual([10, 5000, 10, 10])
  })

  test('and a list read the comments of one request once, also where no other has any', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const tickets = Array.from({ length: 30 }, (_, index) => requestWith({}, index))
    await bench.importRequests(site, tickets)
    await sql`
      INSERT INTO ticket_comment (ticket_id, position, content)
      SELECT id, place, 'y' FROM ticket, generate_series(1, 3000) AS place WHERE external_id = 'T-7'`.execute(bench.db)
    await sql`ANALYZE ticket_comment`.execute(bench.db)
    const exported = await rowsRead(bench, async (db) => {
      await using snapshot = await createExportStore(db).open(site.id)
      for await (const _ of snapshot.requests());
    })
    // The totals, the sizes of the page and the page itself.
    expect(exported.ticket_comment).toBeLessThan(4 * 3001)
    const page = { siteId: site.id, sort: 'created', order: 'desc', limit: 30 } as const
    const listed = await rowsRead(bench, (db) => createRequestListStore(db).list(page))
    expect(listed.ticket_comment).toBeLessThan(2 * 3001)
  })

  test('stays open while the caller computes for longer than a session may idle', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await bench.importRequests(site, [requestWith({ externalId: 'a' })])
    const hurried = openDatabase({ connectionString: bench.connectionString }, createLog('test', 'silent'), {
      idleInTransactionMs: 50,
    })
    onTestFinished(() => hurried.destroy())
    await using snapshot = await createExportStore(hurried).open(site.id)
    const control = await hurried.startTransaction().execute()
    await sql`SELECT 1`.execute(control)
    await eventually(async () => expect(await idle(bench)).toBe(1))
    expect((await snapshot.requests().next()).value).toMatchObject({ externalId: 'a' })
    await control
      .rollback()
      .execute()
      .catch(() => {})
  })
})
