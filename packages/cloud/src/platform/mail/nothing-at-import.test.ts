import { expect, test } from 'vitest'
import { openImportBench, requestWith } from '../../maintenance/packages/testing/import-bench.ts'

test('an import sends no mail, neither to reporters nor to watchers', async () => {
  const bench = await openImportBench()
  const site = await bench.addSite()
  await site.addPeople('mari@example.ee')
  const reporter = { email: 'mari@example.ee', name: 'Mari' }
  const output = await bench.importRequests(site, [
    requestWith({ reporter, watchers: ['mari@example.ee'], ccEmails: ['cc@example.ee'], state: 'open' }, 1),
    requestWith({ reporter: { email: 'stranger@example.ee' }, comments: [{ content: 'Done', author: reporter }] }, 2),
  ])
  expect(output.created).toMatchObject({ tickets: 2, comments: 1 })
  expect(await bench.db.selectFrom('mail').selectAll().execute()).toEqual([])
})
