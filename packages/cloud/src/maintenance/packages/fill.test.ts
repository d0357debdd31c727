import type { Actor } from '@plantroom/contract/activity'
import { describe, expect, test } from 'vitest'
import { packageKey } from '../../platform/files/index.ts'
import { settleJob } from '../../platform/jobs/queue.ts'
import { createChangeStore } from '../requests/change-store.ts'
import { JOB_KINDS } from './job-kinds.ts'
import { type ImportBench, openImportBench, type Site } from './testing/import-bench.ts'

const MARI: Actor = { kind: 'person', id: 'usr_mari', name: 'mari@example.ee' }
const AT = new Date('2026-06-01T00:00:00Z')
const NONE = { created: 0, mapped: 0, left: 0 }

const FULL = {
  externalId: 'A',
  title: 'Tap',
  description: 'It leaks',
  priority: 0 as const,
  safetyHazard: false,
  tone: 'polite' as const,
  ccEmails: ['cc@x.ee', 'a{b}@x.ee'],
  reporter: { email: 'tenant@x.ee', name: 'Tenant' },
  assignee: 'anna@x.ee',
  supervisor: 'boss@x.ee',
  watchers: ['anna@x.ee', 'boss@x.ee'],
  unit: 'Room 1',
  tags: ['leak'],
  comments: [
    { content: 'First', author: { email: 'Anna@x.ee' } },
    { content: 'Second', author: { name: 'Somebody' } },
  ],
}
const { description, priority, safetyHazard, tone, ccEmails, tags, ...LINKS } = FULL

const history = async (bench: ImportBench, site: Site) => {
  const rows = await bench.db
    .selectFrom('ticket_change')
    .innerJoin('ticket', 'ticket.id', 'ticket_id')
    .where('site_id', '=', site.id)
    .where('kind', '=', 'filled')
    .select(['number', 'field', 'after', 'actor_kind'])
    .orderBy('ticket_change.id')
    .execute()
  return rows.map(({ number, field, after }) => [number, field, ...after])
}

describe('a fill', () => {
  test('sets links that an import left empty, once their targets exist, and nothing twice', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await bench.importRequests(site, [FULL])
    await site.addPeople('anna@x.ee', 'Tenant@x.ee')
    await site.addMember('boss@x.ee', 'manager')
    const options = { units: { create: true } }
    const expected = {
      tickets: { total: 1, filled: 1, complete: 0, notOnSite: 0, notImported: 0 },
      fields: { assignee: 1, comments: 1, reporter: 1, supervisor: 1, unit: 1, watchers: 1 },
      tagsToCreate: [],
      unmatchedEmails: [],
      unmatchedUnits: [],
      missing: { units: { ...NONE, created: 1 }, people: NONE, tags: NONE },
    }
    expect(await bench.previewFill(site, [FULL], options)).toEqual(expected)
    expect(await site.units()).toEqual([])
    expect(await bench.fillRequests(site, [FULL], options)).toEqual(expected)
    expect(await site.tickets()).toMatchObject([
      {
        reporter: 'Tenant@x.ee',
        reporter_name: 'Tenant',
        assignee: 'anna@x.ee',
        supervisor: 'boss@x.ee',
        watchers: ['anna@x.ee', 'boss@x.ee'],
        unit: 'Room 1',
        tags: ['leak'],
        comments: [{ author: 'anna@x.ee' }, { author: null, author_name: 'Somebody' }],
      },
    ])
    expect((await history(bench, site)).map(([, field]) => field)).toEqual([
      'reporter',
      'assignee',
      'supervisor',
      'watchers',
      'unit',
      'comments',
    ])
    expect((await bench.fillRequests(site, [FULL], options)).tickets).toMatchObject({ filled: 0, complete: 1 })
  })

  test('sets other empty fields of a corrected package, and maps names', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await bench.importRequests(site, [{ externalId: 'A', title: 'Tap', description: '' }])
    await site.addUnits('Cellar')
    await site.addTags('water')
    const [unit] = await bench.db.selectFrom('unit').select('id').execute()
    const [tag] = await bench.db.selectFrom('tag').select('id').execute()
    const options = { units: { map: { 'Room 1': unit?.id ?? '' } }, tags: { map: { leak: tag?.id ?? '' } } }
    const output = await bench.fillRequests(site, [{ ...FULL, comments: [] }], options)
    expect(output.unmatchedEmails.map(({ email }) => email)).toEqual(['anna@x.ee', 'boss@x.ee'])
    expect(await site.tickets()).toMatchObject([
      {
        description: 'It leaks',
        priority: 0,
        safety_hazard: false,
        tone: 'polite',
        cc_emails: ['cc@x.ee', 'a{b}@x.ee'],
        reporter: null,
        reporter_email: 'tenant@x.ee',
        reporter_name: 'Tenant',
        assignee: null,
        unit: 'Cellar',
        tags: ['water'],
      },
    ])
    expect(await history(bench, site)).toEqual([
      [1, 'description', 'It leaks'],
      [1, 'priority', '0'],
      [1, 'tone', 'polite'],
      [1, 'safetyHazard', 'false'],
      [1, 'ccEmails', 'cc@x.ee', 'a{b}@x.ee'],
      [1, 'reporter'],
      [1, 'unit', 'Cellar'],
      [1, 'tags', 'water'],
    ])
  })

  test('changes neither what was edited, nor what has a value, nor requests that no import added', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await bench.importRequests(site, [LINKS, { ...LINKS, externalId: 'B', description: 'Mine', unit: null }])
    await site.addPeople('anna@x.ee', 'boss@x.ee', 'other@x.ee')
    await site.addUnits('Room 1')
    const change = (number: number, details: object) =>
      createChangeStore(bench.db).change({ siteId: site.id, number }, details, { at: AT, by: MARI })
    await change(1, { assignee: 'other@x.ee', unit: 'Room 1', description: 'x' })
    await change(1, { assignee: null, unit: null, description: null })
    await change(2, { supervisor: 'other@x.ee' })
    const own = await createChangeStore(bench.db).add(site.id, { title: 'Own', reporter: null }, { at: AT, by: MARI })
    const ids = await bench.db.selectFrom('ticket').where('number', '=', own).select('external_id').execute()
    const before = await site.tickets()

    const everything = [
      FULL,
      { ...FULL, externalId: 'B' },
      { ...FULL, externalId: ids[0]?.external_id ?? '' },
      { ...FULL, externalId: 'Z' },
    ]
    const { tickets } = await bench.fillRequests(site, everything)
    expect(tickets).toEqual({ total: 4, filled: 2, complete: 0, notOnSite: 1, notImported: 1 })
    const [first, second, third] = await site.tickets()
    expect(first).toMatchObject({ assignee: null, unit: null, description: null, supervisor: 'boss@x.ee' })
    expect(second).toMatchObject({
      description: 'Mine',
      supervisor: 'other@x.ee',
      assignee: 'anna@x.ee',
      unit: 'Room 1',
    })
    expect(third).toEqual(before[2])
  })

  test('goes on where an attempt was cut off, and counts all attempts', async () => {
    const bench = await openImportBench({ batchRequests: 1 })
    const site = await bench.addSite()
    const requests = ['A', 'B', 'C'].map((externalId) => ({ ...LINKS, externalId }))
    await bench.importRequests(site, requests)
    const uploaded = await bench.upload(
      site,
      requests.map((request) => ({ state: 'new', ...request })),
    )
    const options = { units: { create: true }, people: { create: true } }
    const job = await bench.startJob(site, 'TICKET_FILL', uploaded, options)
    let times = 0
    const cut = () => {
      if (++times === 2) throw new Error('cut')
    }
    await expect(bench.fill(job, { filled: cut })).rejects.toThrow('The fill stopped at request 2 of 3 (externalId B)')
    const next = await bench.nextAttempt(job)
    await expect(bench.fill(job)).rejects.toThrow('another worker took over')
    const output = await bench.fill(next)
    expect(output).toMatchObject({
      tickets: { total: 3, filled: 3, complete: 0 },
      fields: { unit: 3, assignee: 3 },
      missing: { units: { created: 1 }, people: { created: 2 } },
    })
    expect(await history(bench, site)).toHaveLength(15)
  })

  test('that has done its work before its worker died keeps its counts, whatever happens to the site and the package', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    await bench.importRequests(site, [LINKS])
    await site.addUnits('Room 1')
    const uploaded = await bench.upload(
      site,
      [LINKS, { ...LINKS, externalId: 'B' }].map((request) => ({ state: 'new', ...request })),
    )
    const job = await bench.startJob(site, 'TICKET_FILL', uploaded)
    const output = await bench.fill(job)
    expect(output.tickets).toEqual({ total: 2, filled: 1, complete: 0, notOnSite: 1, notImported: 0 })

    await bench.db.deleteFrom('ticket').where('site_id', '=', site.id).execute()
    await bench.files.remove(packageKey('org', site.id, uploaded.filename), uploaded.version)
    const again = await bench.nextAttempt(job)
    expect(await bench.fill(again)).toEqual(output)

    await bench.db.updateTable('job').where('id', '=', job.id).set({ attempts: job.maxAttempts }).execute()
    const died = { kind: 'broken', reason: 'the worker running it died' } as const
    const verdict = await settleJob({ db: bench.db, kinds: JOB_KINDS, retryDelayS: 0 }, again, died)
    expect(verdict).toMatchObject({ status: 'SUCCESS', resolved: true, output })
  })
})
