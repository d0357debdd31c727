import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { JOB_KINDS } from './job-kinds.ts'
import { recordPassed } from './outcome-store.ts'
import { openImportBench } from './testing/import-bench.ts'

const REASON = 'its process ended'

test('jobs run as often and as long as the contract says', () => {
  const bounds = (name: keyof typeof JOB_KINDS) => [JOB_KINDS[name].maxAttempts, JOB_KINDS[name].limitMs / 60_000]
  expect(bounds('PREVIEW_TICKET_IMPORT')).toEqual([1, 30])
  expect(bounds('TICKET_IMPORT')).toEqual([3, 60])
  expect(bounds('TICKET_EXPORT')).toEqual([1, 60])
})

describe('the message of a broken job', () => {
  test.each([
    ['PREVIEW_TICKET_IMPORT', 'The preview did not finish: its process ended. Start it again.'],
    ['TICKET_EXPORT', 'The export did not finish: its process ended. Start it again.'],
  ] as const)('%s: says to start it again', async (name, message) => {
    const bench = await openImportBench()
    const job = await bench.startJob(await bench.addSite(), name, { filename: 'a.fpl', version: 'v1' })
    expect(await JOB_KINDS[name].describeBroken(bench.db, job, { reason: REASON })).toBe(message)
  })

  test.each([
    ['PREVIEW_TICKET_IMPORT', 'The preview did not finish: it needed more memory. Divide requests that have'],
    ['TICKET_IMPORT', 'stopped at request 1: it needed more memory. Divide requests that have very many comments'],
    ['TICKET_FILL', 'The fill stopped: it needed more memory. Divide requests that have very many comments'],
  ] as const)('%s: says what to divide when it needed too much memory', async (name, message) => {
    const bench = await openImportBench()
    const job = await bench.startJob(await bench.addSite(), name, { filename: 'a.fpl', version: 'v1' })
    const broken = { reason: 'it needed more memory', isTooLarge: true }
    expect(await JOB_KINDS[name].describeBroken(bench.db, job, broken)).toContain(message)
  })

  test.each([
    [
      [],
      0,
      'request 1 of 30: its process ended. So far 0 requests of the package are on the site, 0 added by this import',
    ],
    [
      [0],
      1,
      'request 2 of 30: its process ended. So far 1 request of the package is on the site, 1 added by this import',
    ],
    [
      [0, 4, 19],
      25,
      'request 26 of 30: its process ended. So far 25 requests of the package are on the site, 3 added by this import',
    ],
  ])(
    'import with requests at %j that passed %i: says where it stopped and what to do',
    async (positions, passed, stopped) => {
      const bench = await openImportBench()
      const [site, other] = [await bench.addSite(), await bench.addSite()]
      const uploaded = { filename: 'a.fpl', version: 'v1' }
      const job = await bench.startJob(site, 'TICKET_IMPORT', uploaded)
      const otherJob = await bench.startJob(other, 'TICKET_IMPORT', uploaded)
      const addRequest = (siteId: string, jobId: string, position: number) =>
        sql`
      INSERT INTO ticket (id, site_id, number, external_id, title, state, created_at, state_changed_at, job_id, job_position)
      VALUES (${`${jobId} ${position}`}, ${siteId}, ${position + 1}, ${`T-${position}`}, 'Title', 'new', now(), now(),
        ${jobId}, ${position})`.execute(bench.db)
      for (const position of positions) await addRequest(site.id, job.id, position)
      await recordPassed(bench.db, job.id, { passed, total: 30 })
      await addRequest(other.id, otherJob.id, 90)
      expect(await JOB_KINDS.TICKET_IMPORT.describeBroken(bench.db, job, { reason: REASON })).toBe(
        `The import stopped at ${stopped}; running the import again continues from there.`,
      )
    },
  )
})
