import { describe, expect, onTestFinished, test } from 'vitest'
import { openImportBench } from '../packages/testing/import-bench.ts'
import { insertLabels } from './import-store.ts'

describe('insertLabels', () => {
  test('finds a tag that someone else created after the lookup, and does not count it as created', async () => {
    const bench = await openImportBench()
    const [site, other] = [await bench.addSite(), await bench.addSite()]
    await site.addTags('leak')
    await other.addTags('leak', 'noise')
    const { id } = await bench.db
      .selectFrom('tag')
      .where('site_id', '=', site.id)
      .select('id')
      .executeTakeFirstOrThrow()

    const { ids, created } = await insertLabels(bench.db, 'tag', site.id, ['leak', 'noise'])
    expect([...created]).toEqual(['noise'])
    expect([...ids.keys()].toSorted()).toEqual(['leak', 'noise'])
    expect(ids.get('leak')).toBe(id)
    expect(await site.tags()).toEqual(['leak', 'noise'])
  })

  test('waits for a transaction that is creating the same tag', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const first = await bench.otherDb.startTransaction().execute()
    onTestFinished(async () => {
      if (!first.isCommitted) await first.rollback().execute()
    })
    const theirs = await insertLabels(first, 'tag', site.id, ['leak'])
    const ours = insertLabels(bench.db, 'tag', site.id, ['leak'])
    await first.commit().execute()
    const { ids, created } = await ours
    expect(created.size).toBe(0)
    expect(ids.get('leak')).toBe(theirs.ids.get('leak'))
  })
})
