import { join } from 'node:path'
import { writePackage } from '@plantroom/fpl/write-package'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { JobFailure } from '../../platform/jobs/index.ts'
import { firstSamples } from './sample.ts'
import { listSamples } from './sample-store.ts'
import { openImportBench } from './testing/import-bench.ts'

const request = (n: number) => ({ externalId: `A-${n}`, title: `Request ${n}`, state: 'new' }) as const

describe('a preview', () => {
  test('shows the first 20 requests of the package, until an import removes it', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await bench.importRequests(site, [request(2)])
    const first = {
      ...request(1),
      description: `${'x'.repeat(299)}😀 and more`,
      reporter: { name: ' ', email: 'anna@example.ee' },
      unit: ' Flat 3 ',
      tags: ['roof'],
      comments: [{ content: 'Hello' }, { content: 'There' }],
    }
    const tickets = [first, ...Array.from({ length: 24 }, (_, n) => request(n + 2))]
    const uploaded = await bench.upload(site, tickets)
    const job = await bench.startJob(site, 'PREVIEW_TICKET_IMPORT', uploaded)
    await bench.preview(job)
    const samples = await listSamples(bench.db, job.id)
    expect(samples).toHaveLength(20)
    expect(samples[0]).toEqual({
      row: 1,
      externalId: 'A-1',
      title: 'Request 1',
      state: 'new',
      priority: null,
      description: `${'x'.repeat(299)}\uFFFD…`,
      unit: 'Flat 3',
      reporter: 'anna@example.ee',
      assignee: null,
      tags: ['roof'],
      createdAt: null,
      comments: 2,
      attachments: 0,
      exists: false,
    })
    expect(samples[1]).toMatchObject({ externalId: 'A-2', exists: true })

    const other = await bench.addSite()
    const theirs = await bench.startJob(other, 'PREVIEW_TICKET_IMPORT', await bench.upload(other, [request(1)]))
    await bench.preview(theirs)
    await bench.import(await bench.startJob(site, 'TICKET_IMPORT', uploaded))
    expect(await listSamples(bench.db, job.id)).toEqual([])
    expect(await listSamples(bench.db, theirs.id)).toHaveLength(1)
  })

  test('of a package that is not valid names the request of each problem', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const tickets = [
      request(1),
      { ...request(2), state: 'odd' },
      { title: 'No id', state: 'new' },
      { ...request(4), x: 1 },
    ]
    const job = await bench.startJob(site, 'PREVIEW_TICKET_IMPORT', await bench.upload(site, tickets))
    const error = await bench.preview(job).catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(JobFailure)
    expect((error as JobFailure).problems).toMatchObject([
      { path: 'tickets[1].state', externalId: 'A-2' },
      { path: 'tickets[2]', externalId: null },
      { path: 'tickets[3]', externalId: 'A-4' },
    ])
  })
})

test('the first requests of a package that was just written need no check', async () => {
  const path = join(await temporaryFolder(), 'written.fpl')
  await writePackage(path, { tickets: [request(1), request(2), request(3)], attachments: [] })
  expect((await firstSamples(path, 2)).map(({ externalId }) => externalId)).toEqual(['A-1', 'A-2'])
  expect(await firstSamples(path, 5)).toHaveLength(3)
})
