import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { blobKey } from '../../platform/files/index.ts'
import { openImportBench } from './testing/import-bench.ts'

describe('request numbers', () => {
  test('follow the order of the package, continue from the last number of the site and have no gaps', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await bench.importRequests(site, [{ externalId: 'b', number: 9 } as object, { externalId: 'd' }])
    await bench.importRequests(
      site,
      ['a', 'b', 'c', 'd', 'e'].map((externalId) => ({ externalId })),
    )
    const numbers = (await site.tickets()).map(({ number, external_id }) => `${number} ${external_id}`)
    expect(numbers).toEqual(['1 b', '2 d', '3 a', '4 c', '5 e'])
    const history = await bench.db
      .selectFrom('ticket_change')
      .innerJoin('ticket', 'ticket.id', 'ticket_id')
      .where('site_id', '=', site.id)
      .select(['number', 'kind'])
      .orderBy('number')
      .execute()
    expect(history).toEqual([1, 2, 3, 4, 5].map((number) => ({ number, kind: 'imported' })))
  })
})

describe('a request that is already on the site', () => {
  test('is skipped with all of its parts, even when the package was corrected', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await bench.importRequests(site, [{ title: 'Before', tags: ['a'] }])
    const before = await site.tickets()
    const output = await bench.importRequests(
      site,
      [
        {
          title: 'After',
          tags: ['b'],
          unit: 'None',
          assignee: 'x@example.com',
          comments: [{ content: 'more' }],
          attachments: [{ path: 'attachments/a' }],
        },
        { title: 'New' },
      ],
      { 'attachments/a': 'bytes' },
    )
    expect(output).toEqual({
      created: { tickets: 1, comments: 0, attachments: 0, tags: 0 },
      skipped: 1,
      unmatchedEmails: [],
      unmatchedUnits: [],
    })
    expect((await site.tickets())[0]).toEqual(before[0])
    expect(await site.tags()).toEqual(['a'])
    expect(await bench.files.stat(blobKey(site.id, hash('sha256', 'bytes', 'buffer')))).toBeUndefined()
  })

  test('does not count when it is on another site', async () => {
    const bench = await openImportBench()
    const [site, other] = [await bench.addSite(), await bench.addSite()]
    await bench.importRequests(site, [{}])
    expect((await bench.importRequests(other, [{}])).created.tickets).toBe(1)
  })

  test('is recognized only by the exact externalId', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await bench.importRequests(site, [{ externalId: 'a' }, { externalId: 'õ' }])
    const output = await bench.importRequests(site, [{ externalId: 'A' }, { externalId: 'a ' }, { externalId: 'õ' }])
    expect(output).toMatchObject({ created: { tickets: 2 }, skipped: 1 })
  })
})
