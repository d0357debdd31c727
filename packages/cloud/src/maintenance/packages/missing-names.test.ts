import { createLog } from '@plantroom/base/log'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../platform/db/database.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { createPlainDatabase } from '../../testing/database.ts'
import { createRequestListStore } from '../requests/request-list-store.ts'
import { openImportBench, type Site } from './testing/import-bench.ts'

/** More than one batch; as many as a package may reasonably have, in a campaign. */
const UNITS = isCampaign ? 10_000 : 1_001

const idOf = async (site: Site, email: string) =>
  (await site.people()).find((person) => person.email === email)?.id ?? ''

describe('members with a role on the site', () => {
  test('are matched in every role, and get a row among its people', async () => {
    const bench = await openImportBench()
    const [site, other] = [await bench.addSite(), await bench.addSite()]
    await site.addMember('mari@example.ee', 'manager')
    await site.addMember('admin@example.ee', 'admin')
    await site.addMember('unused@example.ee', 'viewer')
    await other.addMember('foreign@example.ee', 'manager')
    const tickets = [
      {
        assignee: 'Mari@example.ee',
        supervisor: 'admin@example.ee',
        watchers: ['MARI@example.ee', 'foreign@example.ee'],
        reporter: { email: 'admin@example.ee', name: 'Boss' },
        comments: [{ content: 'x', author: { email: 'mari@example.ee' } }],
      },
    ]
    const unmatchedEmails = [{ email: 'foreign@example.ee', roles: ['watcher'] }]
    expect(await bench.previewRequests(site, tickets)).toMatchObject({ unmatchedEmails })
    expect(await site.people()).toEqual([])
    expect(await bench.importRequests(site, tickets)).toMatchObject({ unmatchedEmails })
    expect(await site.tickets()).toMatchObject([
      {
        assignee: 'mari@example.ee',
        supervisor: 'admin@example.ee',
        watchers: ['mari@example.ee'],
        reporter: 'admin@example.ee',
        comments: [{ author: 'mari@example.ee' }],
      },
    ])
    expect((await site.people()).map(({ email }) => email)).toEqual(['admin@example.ee', 'mari@example.ee'])
  })

  test('who were invited, or left, are not matched', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const [gone, invited] = [
      await site.addMember('gone@example.ee', 'manager'),
      await site.addMember('invited@example.ee', 'viewer'),
    ]
    await bench.db.deleteFrom('membership').where('user_id', 'in', [gone, invited]).execute()
    await bench.db
      .insertInto('pending_membership')
      .values({ user_id: invited, organization_id: 'org', site_id: site.id, role: 'viewer' })
      .execute()
    const watchers = ['gone@example.ee', 'invited@example.ee']
    expect((await bench.importRequests(site, [{ watchers }])).unmatchedEmails.map(({ email }) => email)).toEqual(
      watchers,
    )
  })
})

describe('names that the site lacks', () => {
  const tickets = [
    { assignee: 'a@x.ee', unit: 'Room 1a', tags: ['leak', 'Leaks'], watchers: ['B@x.ee'] },
    { assignee: 'A@X.ee', unit: ' Room 2 ', reporter: { email: 'a@x.ee', name: 'Anna' }, watchers: ['c@x.ee'] },
    { unit: 'Room 3', reporter: { email: 'tenant@x.ee', name: 'Tenant' } },
  ]

  test('are created, mapped or left as the options say, as the preview said', async () => {
    const bench = await openImportBench({ batchRequests: 1 })
    const site = await bench.addSite()
    await site.addUnits('Room 1')
    await site.addTags('leak')
    await site.addPeople('boss@x.ee')
    const [unit] = await bench.db.selectFrom('unit').select('id').where('site_id', '=', site.id).execute()
    const [tag] = await bench.db.selectFrom('tag').select('id').where('site_id', '=', site.id).execute()
    const options = {
      units: { create: true, map: { ' Room 1a': unit?.id ?? '' }, leave: ['Room 3 '] },
      people: { create: true, map: { 'b@X.ee': await idOf(site, 'boss@x.ee') }, leave: ['C@x.ee'] },
      tags: { create: false, map: { Leaks: tag?.id ?? '' } },
    }
    const missing = {
      units: { created: 1, mapped: 1, left: 1 },
      people: { created: 1, mapped: 1, left: 1 },
      tags: { created: 0, mapped: 1, left: 0 },
    }
    const unmatched = { unmatchedUnits: ['Room 3'], unmatchedEmails: [{ email: 'c@x.ee', roles: ['watcher'] }] }
    const preview = await bench.previewRequests(site, tickets, {}, options)
    expect(preview).toMatchObject({ ...unmatched, tagsToCreate: [], missing })
    expect(await bench.importRequests(site, tickets, {}, options)).toMatchObject({ ...unmatched, missing })
    expect(await site.tickets()).toMatchObject([
      { assignee: 'a@x.ee', unit: 'Room 1', tags: ['leak'], watchers: ['boss@x.ee'] },
      { assignee: 'a@x.ee', unit: 'Room 2', reporter: 'a@x.ee', watchers: [] },
      { unit: null, reporter: null, reporter_name: 'Tenant' },
    ])
    // The name is in the second batch; whoever only reports is kept as text.
    expect((await site.people()).map(({ email, name }) => [email, name])).toEqual([
      ['a@x.ee', 'Anna'],
      ['boss@x.ee', null],
    ])
    expect(await site.units()).toEqual(['Room 1', 'Room 2'])
    const findings = await bench.db.selectFrom('job_finding').select(['value', 'outcome']).orderBy('value').execute()
    expect(new Set(findings.map(({ value, outcome }) => `${value}: ${outcome}`))).toEqual(
      new Set([
        'B@x.ee: mapped',
        'Leaks: mapped',
        'Room 1a: mapped',
        'Room 2: created',
        'Room 3: left',
        'a@x.ee: created',
        'c@x.ee: left',
      ]),
    )
  })

  test('are created once by two imports at the same time', async () => {
    const bench = await openImportBench({ batchRequests: 1 })
    const site = await bench.addSite()
    const options = { units: { create: true }, people: { create: true } }
    const request = (index: number) => ({ ...tickets[index % 3], title: 'T', state: 'new', externalId: `T-${index}` })
    const jobs = await Promise.all(
      [0, 1].map(async (half) => {
        const own = Array.from({ length: 6 }, (_, index) => request(2 * index + half))
        const uploaded = await bench.upload(site, own, {}, `${half}.fpl`)
        return bench.startJob(site, 'TICKET_IMPORT', uploaded, options)
      }),
    )
    const outputs = await Promise.all([
      bench.import(jobs[0] as never),
      bench.import(jobs[1] as never, { db: bench.otherDb }),
    ])
    const created = outputs.map(({ missing }) => [missing?.units.created ?? 0, missing?.people.created ?? 0])
    expect(created.reduce(([a = 0, b = 0], [c = 0, d = 0]) => [a + c, b + d])).toEqual([3, 3])
    expect(await site.units()).toEqual(['Room 1a', 'Room 2', 'Room 3'])
    expect((await site.people()).map(({ name }) => name)).toEqual(['Anna', null, null])
  })

  test('are created once when an attempt is cut off, and counted over all attempts', async () => {
    const bench = await openImportBench({ batchRequests: 1 })
    const site = await bench.addSite()
    const uploaded = await bench.upload(
      site,
      tickets.map((ticket, index) => ({ externalId: `T-${index}`, title: 'T', state: 'new', ...ticket })),
    )
    const options = { units: { create: true }, people: { create: true } }
    const job = await bench.startJob(site, 'TICKET_IMPORT', uploaded, options)
    let commits = 0
    const cut = (point: string) => {
      if (point === 'written' && ++commits === 3) throw new Error('cut')
    }
    await expect(bench.import(job, { reached: cut })).rejects.toThrow()
    expect(await site.units()).toEqual(['Room 1a', 'Room 2'])
    const output = await bench.import(await bench.nextAttempt(job))
    expect(output.missing).toMatchObject({ units: { created: 3 }, people: { created: 3 } })
    expect(await site.units()).toEqual(['Room 1a', 'Room 2', 'Room 3'])
  })

  test('that a target was removed for are left', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const options = { units: { create: true, map: { 'Room 1a': 'unit_gone' } } }
    const output = await bench.importRequests(site, [{ unit: 'Room 1a' }], {}, options)
    expect(output).toMatchObject({
      unmatchedUnits: ['Room 1a'],
      missing: { units: { created: 0, mapped: 0, left: 1 } },
    })
  })

  test('may be thousands of units in one package', async () => {
    const bench = await openImportBench()
    const site = await bench.addSite()
    const many = Array.from({ length: UNITS }, (_, index) => ({ externalId: `T-${index}`, unit: `Unit ${index}` }))
    const output = await bench.importRequests(site, many, {}, { units: { create: true } })
    expect(output).toMatchObject({ created: { tickets: UNITS }, missing: { units: { created: UNITS } } })
    expect(await site.units()).toHaveLength(UNITS)
  })
})

test('people whose emails differ in case are one, whatever letters the database knows', async () => {
  const address = await createPlainDatabase()
  const db = openDatabase({ connectionString: address }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  await migrate(db)
  const bench = await openImportBench({}, address)
  const site = await bench.addSite()
  await site.addPeople('Õie@näide.ee')
  await site.addMember('ärni@näide.ee', 'manager')
  const roles = {
    title: 'Õues on külm',
    reporter: { email: 'Šeff@näide.ee' },
    assignee: 'õIE@NÄIDE.ee',
    watchers: ['ÄRNI@näide.ee', 'Öine@näide.ee', 'öINE@NÄIDE.EE'],
  }
  const preview = await bench.previewRequests(site, [roles])
  expect(preview.unmatchedEmails).toEqual([{ email: 'Öine@näide.ee', roles: ['watcher'] }])
  await bench.importRequests(site, [roles], {}, { people: { create: true } })
  expect((await site.people()).map(({ email }) => email)).toEqual(['ärni@näide.ee', 'Õie@näide.ee', 'Öine@näide.ee'])
  expect(await site.tickets()).toMatchObject([
    { assignee: 'Õie@näide.ee', watchers: ['ärni@näide.ee', 'Öine@näide.ee'] },
  ])
  const found = async (filter: { q?: string; reporter?: string; assignee?: string }) => {
    const page = { siteId: site.id, sort: 'created', order: 'desc', limit: 10 } as const
    return (await createRequestListStore(bench.db).list({ ...page, ...filter })).requests.length
  }
  expect([await found({ q: 'õUES' }), await found({ q: 'öues' })]).toEqual([1, 0])
  expect([await found({ q: 'šEFF' }), await found({ reporter: 'ŠEFF@NÄIDE.EE' })]).toEqual([1, 1])
  expect(await found({ assignee: 'õie@näide.EE' })).toBe(1)
})
