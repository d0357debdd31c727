import { once } from 'node:events'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../http/server.ts'
import { log, openJobBench } from '../jobs/testing/job-bench.ts'
import { createEventStreams } from '../streams/event-stream.ts'
import { openStream } from '../streams/testing/open-stream.ts'
import { jobEventRoutes } from './job-event-routes.ts'
import { createJobEvents } from './job-events.ts'

/** Opens the route on a real database; authorization is tested elsewhere. */
async function openRoute() {
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
      sql`UPDATE job SET status = 'RUNNING', lease_until = now(), progress = ${JSON.stringify({ stage: 'write', done, total: 10 })}
        WHERE id = ${id}`.execute(db),
    resolve: (id: string, output: object) =>
      sql`UPDATE job SET status = 'SUCCESS', lease_until = NULL, resolved = true, output = ${JSON.stringify(output)}
        WHERE id = ${id}`.execute(db),
  }
}

describe('the events of a job', () => {
  test('arrive immediately and on every change, and end with the result', async () => {
    const { accept, follow, clock, progress, resolve, job } = await openRoute()
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
    const { accept, follow, resolve, clock } = await openRoute()
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
    const { accept, follow, clock, looks, progress } = await openRoute()
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
    const { accept, follow, clock, db } = await openRoute()
    const id = await accept('TICKET_IMPORT', 'a.fpl')
    const stream = await follow(id)
    const ended = once(stream.response, 'end')
    await sql`DELETE FROM job WHERE id = ${id}`.execute(db)
    await clock.advance(1_000)
    await ended
    expect(stream.events()).toHaveLength(1)
  })

  test('end with the session of the client', async () => {
    const { accept, follow, clock, endSession } = await openRoute()
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
    const { accept, follow, clock } = await openRoute()
    const stream = await follow(await accept('TICKET_IMPORT', 'a.fpl'))
    stream.request.destroy()
    await eventually(async () => {
      await clock.advance(1_000)
      expect(clock.waiting()).toEqual([])
    })
  })

  test('are 404 for an unknown job and for a job of another site', async () => {
    const { accept, follow, otherSiteId } = await openRoute()
    const id = await accept('TICKET_IMPORT', 'a.fpl', otherSiteId)
    expect((await follow(id)).response.statusCode).toBe(404)
    expect((await follow('job_none')).response.statusCode).toBe(404)
    expect((await follow(id, otherSiteId)).response.statusCode).toBe(200)
  })
})
