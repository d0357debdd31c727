import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openPackageRoutes } from './testing/package-routes.ts'

describe('the problems of a job', () => {
  const problem = (path: string, value: string | null) => ({ path, value, rule: 'must not be "so"', message: '' })
  const problems = [
    { ...problem('tickets[0]', '=1+1'), externalId: 'A-1' },
    problem('tickets[1]', null),
    problem('a,b', '-x\r\ny'),
  ]

  async function failed() {
    const routes = await openPackageRoutes()
    await routes.accept('TICKET_IMPORT', 'a.fpl')
    const id = await routes.finish('TICKET_IMPORT', { kind: 'failed', message: 'Invalid', final: true, problems })
    return { ...routes, id }
  }

  test('are paged as JSON, in order', async () => {
    const { call, id } = await failed()
    const first = await call('GET', `/jobs/${id}/problems?limit=2`, { key: 'reader' })
    expect(first.body).toEqual({
      problems: [
        { row: 1, externalId: 'A-1', path: 'tickets[0]', value: '=1+1', rule: 'must not be "so"' },
        { row: 2, externalId: null, path: 'tickets[1]', value: null, rule: 'must not be "so"' },
      ],
      nextCursor: expect.any(String),
    })
    const second = await call('GET', `/jobs/${id}/problems?limit=2&cursor=${first.body.nextCursor}`)
    expect(second.body).toMatchObject({ problems: [{ path: 'a,b' }], nextCursor: null })
  })

  test('are complete as CSV, without formulas that a spreadsheet would run', async () => {
    const { call, id } = await failed()
    const { text, headers } = await call('GET', `/jobs/${id}/problems?format=csv&limit=1`)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toBe(`attachment; filename="${id}-problems.csv"`)
    expect(text).toBe(
      [
        'path,value,rule,row,externalId',
        `tickets[0],'=1+1,"must not be ""so""",1,A-1`,
        'tickets[1],,"must not be ""so""",2,',
        `"a,b","'-x\r\ny","must not be ""so""",,`,
        '',
      ].join('\r\n'),
    )
  })

  test.each([
    ['format=xml', 'format'],
    ['limit=0', 'limit'],
    ['cursor=x', 'cursor'],
  ])('%s: 400', async (query, field) => {
    const { call, id } = await failed()
    expect(await call('GET', `/jobs/${id}/problems?${query}`)).toMatchObject({ status: 400, body: { field } })
  })
})

describe('the numbers of an import', () => {
  test('list the number of each request, beyond one page', async () => {
    const { call, accept, db, siteId } = await openPackageRoutes()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    await sql`
      INSERT INTO ticket (id, site_id, number, external_id, title, state, created_at, state_changed_at, job_id, job_position)
      SELECT 't' || n, ${siteId}, 5000 - n, '=EXT-' || n, 'T', 'new', now(), now(), ${id}, n FROM generate_series(0, 2499) n`.execute(
      db,
    )
    const { body } = await call('GET', `/jobs/${id}/numbers?limit=2`, { key: 'reader' })
    expect(body).toEqual({
      numbers: [
        { externalId: '=EXT-0', number: 5000 },
        { externalId: '=EXT-1', number: 4999 },
      ],
      nextCursor: '1',
    })
    const lines = (await call('GET', `/jobs/${id}/numbers?format=csv`)).text.split('\r\n')
    expect(lines).toHaveLength(2502)
    expect(lines.slice(0, 2)).toEqual(['externalId,number', "'=EXT-0,5000"])
    expect(lines[2500]).toBe("'=EXT-2499,2501")
  })
})

describe('the reports of a job', () => {
  test('contain nothing of another job, site or organization', async () => {
    const { call, accept, db, siteId, otherSiteId, foreignSiteId } = await openPackageRoutes()
    const ids: string[] = []
    for (const [index, site] of [siteId, siteId, otherSiteId, foreignSiteId].entries()) {
      const id = await accept('TICKET_IMPORT', 'a.fpl', site)
      ids.push(id)
      await sql`INSERT INTO job_problem (job_id, position, path, rule) VALUES (${id}, 0, ${`path ${index}`}, 'rule')`.execute(
        db,
      )
      await sql`INSERT INTO job_finding (job_id, kind, key, value, position)
        VALUES (${id}, 'tag', 'key', ${`tag ${index}`}, 0)`.execute(db)
      await sql`
        INSERT INTO ticket (id, site_id, number, external_id, title, state, created_at, state_changed_at, job_id, job_position)
        VALUES (${`t${index}`}, ${site}, ${index + 1}, ${`EXT-${index}`}, 'T', 'new', now(), now(), ${id}, 0)`.execute(
        db,
      )
    }
    const [own] = ids
    expect((await call('GET', `/jobs/${own}/problems`)).body.problems).toEqual([
      { row: null, externalId: null, path: 'path 0', value: null, rule: 'rule' },
    ])
    expect((await call('GET', `/jobs/${own}/findings`)).body.findings).toEqual([
      { kind: 'tag', value: 'tag 0', roles: [], outcome: 'left' },
    ])
    expect((await call('GET', `/jobs/${own}/numbers`)).body.numbers).toEqual([{ externalId: 'EXT-0', number: 1 }])
    for (const id of ids.slice(2)) {
      for (const report of ['problems', 'findings', 'numbers']) {
        expect((await call('GET', `/jobs/${id}/${report}`)).status).toBe(404)
      }
    }
  })
})

describe('the findings of a job', () => {
  test('are complete, beyond what an output lists, in the order of the package', async () => {
    const { call, accept, db } = await openPackageRoutes()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    await sql`
      INSERT INTO job_finding (job_id, kind, key, value, outcome, position)
      SELECT ${id}, 'tag', 't' || i, 'T' || i, 'created', i FROM generate_series(1, 1500) i`.execute(db)
    await sql`
      INSERT INTO job_finding (job_id, kind, key, value, roles, position)
      VALUES (${id}, 'email', 'a@x.ee', 'A@x.ee', ARRAY['assignee', 'watcher'], 2000)`.execute(db)
    const first = await call('GET', `/jobs/${id}/findings?limit=1500`, { key: 'reader' })
    expect(first.body.findings).toHaveLength(1500)
    expect(first.body.findings[0]).toEqual({ kind: 'tag', value: 'T1', roles: [], outcome: 'created' })
    const second = await call('GET', `/jobs/${id}/findings?cursor=${first.body.nextCursor}`)
    const found = { kind: 'email', value: 'A@x.ee', roles: ['assignee', 'watcher'], outcome: 'left' }
    expect(second.body).toEqual({ findings: [found], nextCursor: null })
    const { text } = await call('GET', `/jobs/${id}/findings?format=csv`)
    expect(text.split('\r\n').slice(-2)).toEqual(['email,A@x.ee,assignee watcher,left', ''])
  })
})
