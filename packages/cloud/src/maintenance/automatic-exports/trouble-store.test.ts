import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openAutomaticBench } from './testing/export-bench.ts'
import { startWebdav } from './testing/webdav-server.ts'
import { findRecovered, findTroubles } from './trouble-store.ts'

const MISSED_MS = 15 * 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** From the start of the bench until the daily export at 02:00 in Tallinn. */
const FIRST_MS = 11 * HOUR_MS

/** A site that exports every day to two WebDAV folders, which answer the same. */
async function open(own: { keyId?: string } = {}) {
  const bench = await openAutomaticBench()
  const { db, clock } = bench
  const lookNow = () =>
    db
      .updateTable('automatic_export_look')
      .set({ looked_at: new Date(clock.now()) })
      .execute()
  await lookNow()
  await mkdir(join(bench.folder, 'exports'))
  // The order of the targets is not that of their addresses.
  const davs = [await startWebdav(), await startWebdav()].toSorted((a, b) => (a.url < b.url ? 1 : -1))
  const targets = davs.map(({ url }) => ({ webdav: { url, user: 'me', password: 'geheim' } }))
  await bench.set(targets, own)
  const hosts = davs.map(({ url }) => new URL(url).host)
  const answer = (status: number | undefined, which = davs) => {
    for (const dav of which) dav.fault = status ? (_, response) => Boolean(response.writeHead(status).end()) : undefined
  }
  return { ...bench, davs, targets, hosts, answer, lookNow, troubles: () => findTroubles(db, clock.now()) }
}

describe('the trouble of an automatic export', () => {
  test('is that no worker runs, 15 minutes after its time', async () => {
    const { clock, troubles, hosts } = await open()
    clock.step(FIRST_MS + MISSED_MS - 1)
    expect(await troubles()).toEqual([])
    const since = new Date(clock.now() - MISSED_MS + 1)
    clock.step(1)
    expect(await troubles()).toEqual([
      {
        ...{ organizationId: 'org_a', siteId: 'site_a', cause: 'missed', since },
        reason: 'it is overdue, and no worker is running: ask the operator to start one; it then runs once',
        target: hosts.map((host) => `WebDAV ${host}`).join(', '),
      },
    ])
  })

  test('is that workers have too much to do, 6 hours after its time', async () => {
    const { clock, run, lookNow, troubles } = await open()
    clock.step(FIRST_MS)
    const since = new Date(clock.now())
    await run()
    clock.step(6 * HOUR_MS - 1)
    await lookNow()
    expect(await troubles()).toEqual([])
    clock.step(1)
    const reason = 'it has waited for a free worker for more than 6 hours: ask the operator to add workers'
    expect(await troubles()).toMatchObject([{ cause: 'queued', since, reason }])
  })

  test('is the end of its key before anything else', async () => {
    const { clock, troubles } = await open({ keyId: 'key_gone' })
    clock.step(FIRST_MS + MISSED_MS)
    const since = new Date(clock.now() - MISSED_MS)
    expect(await troubles()).toMatchObject([{ cause: 'stopped', since, reason: expect.stringContaining('API key') }])
  })

  test('is what the targets answered: of one without its name, of several each with its name', async () => {
    const { answer, davs, exportOnce, hosts, troubles } = await open()
    const said = (host: string | undefined) => `${host} answered 503 to the folder`
    answer(503)
    await exportOnce()
    await exportOnce()
    const [both] = await troubles()
    expect(both).toMatchObject({ cause: 'failed', target: `WebDAV ${hosts[0]}, WebDAV ${hosts[1]}` })
    const parts = both?.reason.split('; ') ?? []
    for (const [index, host] of hosts.entries()) expect(parts[index]).toContain(`WebDAV ${host}: ${said(host)}`)
    answer(undefined, davs.slice(1))
    await exportOnce()
    await exportOnce()
    const [one] = await troubles()
    expect(one).toMatchObject({ cause: 'failed', target: `WebDAV ${hosts[0]}` })
    expect(one?.reason.startsWith(said(hosts[0]))).toBe(true)
  })

  test('is the error of the export when nothing was delivered, with all targets', async () => {
    const { clock, run, endExports, hosts, troubles } = await open()
    clock.step(DAY_MS)
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await run()
      await endExports('', 'The package is too large.')
      await run()
      clock.step(HOUR_MS)
    }
    const target = hosts.map((host) => `WebDAV ${host}`).join(', ')
    expect(await troubles()).toMatchObject([{ cause: 'failed', reason: 'The package is too large.', target }])
  })

  test('is over when a later run succeeds, or nothing is exported any more', async () => {
    const { db, clock, exportOnce } = await open()
    const over = async (siteId: string, since: number) => [...(await findRecovered(db, [{ siteId, since }]))]
    const before = clock.now()
    expect(await over('site_a', before)).toEqual([])
    await exportOnce()
    expect(await over('site_a', before)).toEqual(['site_a'])
    expect(await over('site_a', clock.now())).toEqual([])
    // It has no automatic export.
    expect(await over('site_b', before)).toEqual(['site_b'])
    await db.updateTable('automatic_export').set({ enabled: false }).execute()
    expect(await over('site_a', clock.now())).toEqual(['site_a'])
  })
})
