import { once } from 'node:events'
import { CONVERSION_JOB_NAMES } from '@plantroom/contract/jobs'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../../platform/http/server.ts'
import type { JobOutput } from '../../platform/jobs/testing/attempts.ts'
import { log, openJobBench } from '../../platform/jobs/testing/job-bench.ts'
import { createEventStreams } from '../../platform/streams/event-stream.ts'
import { openStream } from '../../platform/streams/testing/open-stream.ts'
import { createJobEvents } from './job-events.ts'
import { jobEventRoutes } from './job-routes.ts'
import { openPackageRoutes } from './testing/package-routes.ts'

describe('an export', () => {
  test('needs ticket:read only, and gets its download address when the job is read', async () => {
    const { call, finish, siteId, db } = await openPackageRoutes()
    const { body } = await call('POST', '/export', { key: 'reader' })
    const output = { url: 'key', filename: 'Site.fpl', tickets: 1, comments: 0, attachments: 0, bytes: 9 }
    await finish('TICKET_EXPORT', { kind: 'done', output })
    const shown = await call('GET', `/jobs/${body.jobId}`, { key: 'reader' })
    const url = `https://files.example/exports/${siteId}/${body.jobId}?as=Site.fpl`
    expect(shown.body.output).toEqual({ ...output, url })
    const [listed] = (await call('GET', '/jobs')).body.jobs
    expect(listed.output.url).toBe(url)
    // The job of the contract has no such field.
    expect(listed.filename).toMatch(/\.fpl$/)
    expect(shown.body).not.toHaveProperty('filename')
    const row = await db.selectFrom('job').select('output').executeTakeFirstOrThrow()
    expect(JSON.stringify(row.output)).not.toContain('files.example')
  })
})

describe('the output of a job', () => {
  const unmatchedEmails = [{ email: 'a@x.ee', roles: ['assignee'] }]
  // In the order of the contract, which the columns of the database do not keep.
  test.each([
    [
      'PREVIEW_TICKET_IMPORT',
      {
        tickets: { total: 3, new: 2, existing: 1 },
        comments: 1,
        attachments: 0,
        tagsToCreate: ['t'],
        unmatchedUnits: ['u'],
        unmatchedEmails,
      },
    ],
    [
      'TICKET_IMPORT',
      {
        created: { tickets: 1, comments: 2, attachments: 3, tags: 4 },
        skipped: 5,
        unmatchedEmails,
        unmatchedUnits: [],
      },
    ],
    ['TICKET_EXPORT', { url: '', filename: 'Site.fpl', tickets: 1, comments: 0, attachments: 0, bytes: 9 }],
  ] as const)('of %s has its fields in the order of the contract', async (name, output) => {
    const { call, accept, finish } = await openPackageRoutes()
    const id = await accept(name, 'a.fpl')
    await finish(name, { kind: 'done', output: structuredClone(output) as JobOutput })
    const { text } = await call('GET', `/jobs/${id}`, { key: 'reader' })
    expect(text).toContain(`"output":${JSON.stringify(output)}`)
    expect((await call('GET', '/jobs')).text).toContain(`"output":${JSON.stringify(output)}`)
  })
})

describe('jobs', () => {
  test('of another site are 404 on every route', async () => {
    const { call, accept, otherSiteId } = await openPackageRoutes()
    const id = await accept('TICKET_IMPORT', 'a.fpl', otherSiteId)
    for (const path of [
      `/jobs/${id}`,
      `/jobs/${id}/problems`,
      `/jobs/${id}/numbers`,
      `/jobs/${id}/numbers?format=csv`,
    ]) {
      expect(await call('GET', path), path).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      expect((await call('GET', path, { site: otherSiteId })).status).toBe(200)
      expect((await call('GET', path, { key: 'elsewhere' })).status).toBe(403)
    }
    expect((await call('GET', '/jobs')).body).toEqual({ jobs: [], nextCursor: null })
    expect((await call('GET', '/jobs/job_none')).status).toBe(404)
  })

  test('of other kinds are 404 and not listed', async () => {
    const { call, accept } = await openPackageRoutes()
    for (const name of CONVERSION_JOB_NAMES) {
      const id = await accept(name, 'a.csv')
      expect((await call('GET', `/jobs/${id}`)).status, name).toBe(404)
    }
    expect((await call('GET', '/jobs')).body).toEqual({ jobs: [], nextCursor: null })
  })

  test.each([[1], [2], [3], [100]])('are listed newest first, each once, on pages of %i', async (limit) => {
    const { call, accept } = await openPackageRoutes()
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) ids.unshift(await accept('PREVIEW_TICKET_IMPORT', 'a.fpl'))
    const listed: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await call('GET', `/jobs?limit=${limit}${cursor && `&cursor=${cursor}`}`, { key: 'reader' })
      listed.push(...body.jobs.map((job: { id: string }) => job.id))
      cursor = body.nextCursor
    }
    expect(listed).toEqual(ids)
  })
})

/** Opens the route on a real database; authorization is tested elsewhere. */
async function openEventRoute() {
  const bench = await openJobBench()
  const { db, organizationId, siteId } = bench
  const clock = createManualClock()
  const app = createServer({ tls: undefined, log })
  let sessionIsOpen = true
  app.decorateRequest('sessionIsOpen', async () => sessionIsOpen)
  let looks = 0
  const store = {
    find(site: string, id: string) {
      looks += 1
      return bench.store.find(site, id)
    },
  }
  jobEventRoutes(app, {
    store,
    files: { downloadUrl: async (key) => `https://files.example/${key}` },
    events: createJobEvents({ store, clock }),
    streams: createEventStreams(app, { clock }),
  })
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  return {
    ...bench,
    clock,
    looks: () => looks,
    endSession: () => {
      sessionIsOpen = false
    },
    follow: (id: string, site = siteId) =>
      openStream(`${base}/api/orgs/${organizationId}/properties/${site}/ticket-packages/jobs/${id}/events`),
    progress: (id: string, done: number) =>
      sql`UPDATE job SET status = 'RUNNING', leased_until = now(), progress = ${JSON.stringify({ stage: 'write', done, total: 10 })}
        WHERE id = ${id}`.execute(db),
    resolve: (id: string, output: object) =>
      sql`UPDATE job SET status = 'SUCCESS', leased_until = NULL, resolved = true, output = ${JSON.stringify(output)}
        WHERE id = ${id}`.execute(db),
  }
}

describe('the events of a job', () => {
  test('arrive immediately and on every change, and end with the result', async () => {
    const { accept, follow, clock, progress, resolve, job } = await openEventRoute()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    const stream = await follow(id)
    const ended = once(stream.response, 'end')
    await eventually(() => expect(stream.events()).toEqual([{ event: 'job', data: expect.objectContaining({ id }) }]))
    expect(stream.events()[0]?.data).toEqual(await job(id))

    for (const done of [3, 7]) {
      await progress(id, done)
      await eventually(async () => {
        await clock.advance(1_000)
        expect(stream.events().at(-1)?.data).toMatchObject({ status: 'RUNNING', progress: { done } })
      })
    }
    await resolve(id, { skipped: 5 })
    await clock.advance(1_000)
    await ended
    const received = stream.events().map(({ data }) => data as { resolved: boolean })
    expect(received).toHaveLength(4)
    expect(received.at(-1)).toMatchObject({ resolved: true, status: 'SUCCESS', output: { skipped: 5 } })
    await eventually(async () => {
      await clock.advance(1_000)
      expect(clock.waiting()).toEqual([])
    })
  })

  test('consist of one event with a download address when the job is already done', async () => {
    const { accept, follow, resolve, clock } = await openEventRoute()
    const id = await accept('TICKET_EXPORT', 'a.fpl')
    await resolve(id, { url: 'old', filename: 'a.fpl', tickets: 1, comments: 0, attachments: 0, bytes: 9 })
    const stream = await follow(id)
    await once(stream.response, 'end')
    expect(stream.events()).toEqual([
      {
        event: 'job',
        data: expect.objectContaining({
          id,
          resolved: true,
          output: expect.objectContaining({ url: expect.stringContaining(`https://files.example/`) }),
        }),
      },
    ])
    await eventually(() => expect(clock.waiting()).toEqual([]))
  })

  test('cost one query a second, however many clients follow', async () => {
    const { accept, follow, clock, looks, progress } = await openEventRoute()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    const streams = await Promise.all([follow(id), follow(id), follow(id)])
    expect(looks()).toBe(3)
    await progress(id, 1)
    await clock.advance(1_000)
    await eventually(() => {
      for (const stream of streams) expect(stream.events()).toHaveLength(2)
    })
    expect(looks()).toBe(4)
  })

  test('end when the job was removed', async () => {
    const { accept, follow, clock, db } = await openEventRoute()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    const stream = await follow(id)
    const ended = once(stream.response, 'end')
    await sql`DELETE FROM job WHERE id = ${id}`.execute(db)
    await clock.advance(1_000)
    await ended
    expect(stream.events()).toHaveLength(1)
  })

  test('end with the session of the client', async () => {
    const { accept, follow, clock, endSession } = await openEventRoute()
    const stream = await follow(await accept('TICKET_IMPORT', 'a.fpl'))
    const ended = once(stream.response, 'end')
    endSession()
    await eventually(async () => {
      await clock.advance(1_000)
      expect(stream.response.complete).toBe(true)
    })
    await ended
  })

  test('stop being queried when no client follows', async () => {
    const { accept, follow, clock } = await openEventRoute()
    const stream = await follow(await accept('TICKET_IMPORT', 'a.fpl'))
    stream.request.destroy()
    await eventually(async () => {
      await clock.advance(1_000)
      expect(clock.waiting()).toEqual([])
    })
  })

  test('are 404 for an unknown job and for a job of another site', async () => {
    const { accept, follow, otherSiteId } = await openEventRoute()
    const id = await accept('TICKET_IMPORT', 'a.fpl', otherSiteId)
    expect((await follow(id)).response.statusCode).toBe(404)
    expect((await follow('job_none')).response.statusCode).toBe(404)
    expect((await follow(id, otherSiteId)).response.statusCode).toBe(200)
  })
})
