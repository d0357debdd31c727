import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { explainWrite, type FileStore, packageKey } from '../../platform/files/index.ts'
import type { JobRow } from '../../platform/jobs/index.ts'
import { retryRemovals } from '../uploads/removal-store.ts'
import { recordUpload } from '../uploads/upload-store.ts'
import { IMPORT_POINTS, type ImportDeps, type ImportPoint } from './import.ts'
import { JOB_KINDS } from './job-kinds.ts'
import { type ImportBench, openImportBench, type Site } from './testing/import-bench.ts'

const BATCH = 100
const COUNT = 2.5 * BATCH
const FILES = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`attachments/${index}`, `content ${index}`]))

/** Three batches. */
const tickets = Array.from({ length: COUNT }, (_, index) => ({
  externalId: `T-${index}`,
  title: 'Title',
  state: 'new',
  tags: [`tag ${index % 7}`, `tag of batch ${Math.floor(index / BATCH)}`],
  assignee: `p${index % 3}@example.com`,
  unit: `Unit ${index % 2}`,
  comments: [{ content: 'Comment', ...(index % 5 === 0 && { attachments: [{ path: `attachments/${index / 5}` }] }) }],
}))

const OUTPUT = {
  created: { tickets: COUNT, comments: COUNT, attachments: 50, tags: 10 },
  skipped: 0,
  unmatchedEmails: [0, 1, 2].map((index) => ({ email: `p${index}@example.com`, roles: ['assignee'] })),
  unmatchedUnits: ['Unit 0', 'Unit 1'],
}

async function start(): Promise<{ bench: ImportBench; site: Site; job: JobRow }> {
  const bench = await openImportBench({ batchRequests: BATCH })
  const site = await bench.addSite()
  const job = await bench.startJob(site, 'TICKET_IMPORT', await bench.upload(site, tickets, FILES))
  return { bench, site, job }
}

/** Interrupts the import when it reaches `point` for the nth time. */
function cutAt(point: ImportPoint, nth: number): Pick<ImportDeps, 'reached'> {
  let times = 0
  return {
    reached(now) {
      if (now === point && ++times === nth) throw new Error('cut')
    },
  }
}

async function expectWhole(site: Site): Promise<void> {
  const there = await site.tickets()
  expect(there.map(({ number, external_id }) => `${number} ${external_id}`)).toEqual(
    tickets.map(({ externalId }, index) => `${index + 1} ${externalId}`),
  )
  expect(
    there.every(({ comments, tags }) => (comments as object[]).length === 1 && (tags as object[]).length === 2),
  ).toBe(true)
  expect(there.flatMap(({ attachments }) => attachments as object[])).toHaveLength(50)
}

describe('an interrupted import', () => {
  const places = IMPORT_POINTS.flatMap((point) =>
    (point === 'recorded' || point === 'removed' ? [1] : [1, 2, 3]).map((nth) => [point, nth] as const),
  )

  test.each(places)('at "%s", time %i, is completed by the next attempt', async (point, nth) => {
    const { bench, site, job } = await start()
    await expect(bench.import(job, cutAt(point, nth))).rejects.toThrow()
    expect(await bench.import(await bench.nextAttempt(job))).toEqual(OUTPUT)
    await expectWhole(site)
    expect(await bench.files.stat(packageKey('org', site.id, job.filename))).toBeUndefined()
    expect(readdirSync(bench.folder)).toEqual([])
  })

  test('leaves complete batches only and reports where it stopped', async () => {
    const { bench, site, job } = await start()
    await expect(bench.import(job, cutAt('written', 2))).rejects.toMatchObject({
      final: false,
      message:
        'The import stopped at request 101 of 250 (externalId T-100): an unexpected error occurred. So far 100 requests of the package are on the site, 100 added by this import; running the import again continues from there.',
    })
    expect(await site.tickets()).toHaveLength(BATCH)
    expect(await site.tags()).not.toContain('tag of batch 1')
    expect(await bench.files.stat(packageKey('org', site.id, job.filename))).toBeDefined()
  })

  test('leaves complete batches when its signal aborts', async () => {
    const { bench, site, job } = await start()
    const stop = new AbortController()
    const reached = (point: ImportPoint) => {
      if (point === 'committed') stop.abort()
    }
    await expect(bench.import(job, { reached, signal: stop.signal })).rejects.toThrow('abort')
    expect((await site.tickets()).length % BATCH).toBe(0)
    expect(await bench.import(await bench.nextAttempt(job))).toEqual(OUTPUT)
  })
})

describe('the final message of an import that had written a batch', () => {
  const stoppedAt = (why: string) =>
    `The import stopped at request 101 of 250: ${why}. So far 100 requests of the package are on the site, 100 added by this import; running the import again continues from there.`

  test.each<[string, (bench: ImportBench, site: Site, job: JobRow) => Promise<unknown>, string]>([
    [
      'whose package was replaced',
      (bench, site) => bench.upload(site, tickets.slice(1), FILES),
      'the file was replaced by another upload of the same name: start again with the new file',
    ],
    [
      'whose package is gone',
      (bench, site, job) => bench.files.remove(packageKey('org', site.id, job.filename)),
      'the file is gone: upload it again',
    ],
    [
      'whose site was switched off',
      (bench, site) => sql`UPDATE site SET maintenance_requests = false WHERE id = ${site.id}`.execute(bench.db),
      'Maintenance Requests are turned off for this site: turn them on, then start again',
    ],
  ])('says where it stopped and how many were imported: %s', async (_what, happens, why) => {
    const { bench, site, job } = await start()
    await expect(bench.import(job, cutAt('written', 2))).rejects.toThrow()
    await happens(bench, site, job)
    const again = bench.import(await bench.nextAttempt(job))
    await expect(again).rejects.toMatchObject({ final: true, message: stoppedAt(why) })
  })

  test('counts what earlier attempts wrote, even if this one stopped before', async () => {
    const { bench, job } = await start()
    await expect(bench.import(job, cutAt('written', 3))).rejects.toThrow()
    await expect(bench.import(await bench.nextAttempt(job), cutAt('extracted', 1))).rejects.toThrow(
      'The import stopped at request 201 of 250: an unexpected error occurred. So far 200 requests of the package are on the site, 200 added by this import;',
    )
  })
})

describe('requests that were on the site before', () => {
  /** An import that ends after two batches, all of whose requests another import has added. */
  async function passTwoBatches() {
    const { bench, site, job: first } = await start()
    await bench.import(first)
    const job = await bench.startJob(site, 'TICKET_IMPORT', await bench.upload(site, tickets, FILES))
    await expect(bench.import(job, cutAt('committed', 2))).rejects.toThrow()
    return { bench, site, job }
  }
  const counted = 'So far 200 requests of the package are on the site, 0 added by this import;'

  test('count in the message of an import that cannot go on', async () => {
    const { bench, site, job } = await passTwoBatches()
    await bench.files.remove(packageKey('org', site.id, job.filename))
    const again = bench.import(await bench.nextAttempt(job))
    await expect(again).rejects.toThrow('The import stopped at request 201 of 250: the file is gone: upload it again.')
    await expect(again).rejects.toThrow(counted)
  })

  test('count in the message of an import whose process died', async () => {
    const { bench, job } = await passTwoBatches()
    const broken = { reason: 'the worker running it died', isTooLarge: false }
    expect(await JOB_KINDS.TICKET_IMPORT.describeBroken(bench.db, job, broken)).toContain(counted)
  })

  test('are not counted by an import that read nothing', async () => {
    const { bench, site, job } = await start()
    await bench.files.remove(packageKey('org', site.id, job.filename))
    await expect(bench.import(job)).rejects.toThrow(
      'So far 0 requests were added by this import; it could not read the package, so requests from before are not counted;',
    )
  })
})

describe('a second import of the same package that waits for the first', () => {
  test('finds the package, skips everything and removes it', async () => {
    const { bench, site, job } = await start()
    const { filename, packageVersion: version } = job
    const second = await bench.startJob(site, 'TICKET_IMPORT', { filename, version: version ?? '' })
    expect(await bench.import(job)).toEqual(OUTPUT)
    expect(await retryRemovals(bench)).toBe(0)
    expect(await bench.import(second)).toMatchObject({ created: { tickets: 0 }, skipped: COUNT })
    for (const ended of [job, second]) await bench.end(ended)
    expect(await retryRemovals(bench)).toBe(2)
    expect(await bench.files.stat(packageKey('org', site.id, filename))).toBeUndefined()
  })
})

describe('a package that cannot be removed', () => {
  test('does not fail the import, and is removed by a later sweep', async () => {
    const { bench, site, job } = await start()
    const broken = { ...bench.files, remove: () => Promise.reject(new Error('read-only')) }
    expect(await bench.import(job, { files: broken })).toEqual(OUTPUT)
    await expectWhole(site)
    const key = packageKey('org', site.id, job.filename)
    await expect(retryRemovals({ db: bench.db, files: broken })).rejects.toThrow('read-only')
    expect(await bench.files.stat(key)).toBeDefined()
    expect(await retryRemovals(bench)).toBe(1)
    expect(await bench.files.stat(key)).toBeUndefined()
    expect(await retryRemovals(bench)).toBe(0)
  })

  test('stays when somebody asks for an address to upload it again', async () => {
    const { bench, site, job } = await start()
    const broken = { ...bench.files, remove: () => Promise.reject(new Error('read-only')) }
    await bench.import(job, { files: broken })
    await recordUpload(
      bench.db,
      { organizationId: 'org', siteId: site.id, filename: job.filename },
      { at: new Date(), max: 5 },
    )
    expect(await retryRemovals(bench)).toBe(0)
    expect(await bench.files.stat(packageKey('org', site.id, job.filename))).toBeDefined()
  })
})

describe('a full disk', () => {
  test('stops the import with a clear error; the next attempt continues once there is space', async () => {
    const { bench, site, job } = await start()
    let batches = 0
    const files: FileStore = {
      ...bench.files,
      openBlobBatch(siteId) {
        const batch = bench.files.openBlobBatch(siteId)
        if (++batches < 2) return batch
        return {
          ...batch,
          add() {
            throw explainWrite(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
          },
        }
      },
    }
    await expect(bench.import(job, { files })).rejects.toMatchObject({
      final: false,
      message: expect.stringMatching(
        /^The import stopped at request 101 of 250 \(externalId T-100\): the disk is full/,
      ),
    })
    expect(await site.tickets()).toHaveLength(BATCH)
    expect(await bench.import(await bench.nextAttempt(job))).toEqual(OUTPUT)
    await expectWhole(site)
  })
})

describe('turning off Maintenance Requests', () => {
  const turnOff = (bench: ImportBench, site: Site) =>
    sql`UPDATE site SET maintenance_requests = false WHERE id = ${site.id}`.execute(bench.db)

  test('during an import ends it for good and keeps what was imported', async () => {
    const { bench, site, job } = await start()
    let times = 0
    const reached = async (point: ImportPoint) => {
      if (point === 'extracted' && ++times === 3) await turnOff(bench, site)
    }
    await expect(bench.import(job, { reached })).rejects.toMatchObject({
      final: true,
      message: expect.stringContaining('Maintenance Requests are turned off for this site'),
    })
    expect([BATCH, 2 * BATCH]).toContain((await site.tickets()).length)
  })

  test('before an import leaves the site unchanged', async () => {
    const { bench, site, job } = await start()
    await turnOff(bench, site)
    await expect(bench.import(job)).rejects.toMatchObject({ final: true })
    await expect(bench.preview(job)).rejects.toMatchObject({ final: true })
    expect(await site.tickets()).toEqual([])
  })
})

describe('two imports at the same time', () => {
  test('of the same package add every request exactly once', async () => {
    const { bench, site, job } = await start()
    const uploaded = await bench.upload(site, tickets, FILES, 'copy.fpl')
    const other = await bench.startJob(site, 'TICKET_IMPORT', uploaded)
    const [one, two] = await Promise.all([bench.import(job), bench.import(other, { db: bench.otherDb })])
    await expectWhole(site)
    for (const name of ['tickets', 'comments', 'attachments', 'tags'] as const) {
      expect(one.created[name] + two.created[name]).toBe(OUTPUT.created[name])
    }
    expect([one.created.tickets + one.skipped, two.created.tickets + two.skipped]).toEqual([COUNT, COUNT])
  })

  test('of the same job: the attempt that lost its claim writes nothing more', async () => {
    const { bench, site, job } = await start()
    let next: Promise<unknown> | undefined
    const reached = async (point: ImportPoint) => {
      // The first attempt was frozen; another worker claimed the job and finishes before the first continues.
      if (point === 'extracted') next ??= bench.nextAttempt(job).then((again) => bench.import(again))
      await next
    }
    await expect(bench.import(job, { reached })).rejects.toThrow('another worker took over this job')
    expect(await next).toEqual(OUTPUT)
    await expectWhole(site)
  })
})
