import { describe, expect, test } from 'vitest'
import { createExportStore } from './export-store.ts'
import { openWithWebdav } from './testing/export-bench.ts'
import { startWebdav } from './testing/webdav-server.ts'
import { duties } from './work.ts'

const DAY_MS = 24 * 3_600_000

describe('the retention', () => {
  const names = (files: Map<string, Buffer>) => [...files.values()].map(String)

  test('keeps the last packages, and removes nothing that is not ours', async () => {
    const { dav, exportOnce, runs } = await openWithWebdav({ retention: { keep: 2, unit: 'packages' } })
    dav.files.set('plantroom-maja-a-20200101T000000Z-aaaaaaaa.fpl', Buffer.from('a stranger'))
    for (const content of ['1', '2', '3', '4']) await exportOnce(content)
    expect(names(dav.files)).toEqual(['a stranger', '3', '4'])
    expect((await runs()).map(({ deliveries }) => deliveries[0]?.removedAt !== null)).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  test('keeps packages for days, and longer while no newer one arrives', async () => {
    const { dav, exportOnce, clock, run, endExports } = await openWithWebdav({ retention: { keep: 2, unit: 'days' } })
    for (const content of ['1', '2', '3', '4']) await exportOnce(content)
    expect(names(dav.files)).toEqual(['2', '3', '4'])
    clock.step(100 * DAY_MS)
    await run()
    await endExports('', 'The worker running it died.')
    await run()
    expect(names(dav.files)).toEqual(['2', '3', '4'])
    await exportOnce('5')
    expect(names(dav.files)).toEqual(['5'])
  })

  test('never lists the newest package, however old it is', async () => {
    const { deps, exportOnce, clock, shown } = await openWithWebdav({ retention: { keep: 9, unit: 'packages' } })
    for (const content of ['1', '2']) await exportOnce(content)
    const [target] = (await shown()).targets
    const later = new Date(clock.now() + 100 * DAY_MS)
    const surplus = await deps.store.listSurplus(target?.id ?? '', { keep: 2, unit: 'days' }, later)
    expect(surplus).toHaveLength(1)
  })

  test('removes nothing when an export or a delivery fails, and reports when it cannot remove', async () => {
    const { dav, exportOnce, shown } = await openWithWebdav({ retention: { keep: 1, unit: 'packages' } })
    await exportOnce('1')
    dav.fault = ({ method }, response) => method === 'PUT' && Boolean(response.writeHead(507).end())
    await exportOnce('2')
    expect(names(dav.files)).toEqual(['1'])
    expect((await shown()).lastError).toContain('the server has no space left')
    dav.fault = ({ method, url }, response) =>
      method === 'DELETE' && !url?.includes('part') && Boolean(response.writeHead(403).end())
    await exportOnce('3')
    expect(names(dav.files)).toEqual(['1', '2', '3'])
    expect(await shown()).toMatchObject({
      failingSince: null,
      targets: [{ cleanupError: expect.stringContaining('the user may not do this') }],
    })
    dav.fault = undefined
    await exportOnce('4')
    expect(names(dav.files)).toEqual(['4'])
    expect(await shown()).toMatchObject({ targets: [{ cleanupError: null }] })
  })

  test('leaves the files of a target alone when it moves elsewhere', async () => {
    const { db, dav, exportOnce, set, shown } = await openWithWebdav({ retention: { keep: 1, unit: 'packages' } })
    await exportOnce('1')
    const [target] = (await shown()).targets
    const other = await startWebdav()
    await set([{ id: target?.id ?? '', webdav: { url: other.url, user: 'me', password: 'geheim' } }])
    await exportOnce('2')
    expect([names(dav.files), names(other.files)]).toEqual([['1'], ['2']])
    expect((await createExportStore(db).find('site_a'))?.targets[0]?.id).not.toBe(target?.id)
  })
})

test('the history keeps runs for 400 days, and for longer while their packages are at a target', async () => {
  const { db, clock, deps, exportOnce } = await openWithWebdav({ retention: { keep: 1, unit: 'packages' } })
  for (const content of ['1', '2', '3']) await exportOnce(content)
  const dueTimes = async () =>
    (await db.selectFrom('automatic_export_run').select('due_at').orderBy('due_at').execute()).map(({ due_at }) =>
      due_at.getTime(),
    )
  const history = duties(deps).find(({ name }) => name === 'automatic-export-history')
  const forget = () => history?.run(new AbortController().signal)
  const [first = 0, second, third] = await dueTimes()
  clock.step(first + 400 * DAY_MS - clock.now())
  await forget()
  expect(await dueTimes()).toEqual([first, second, third])
  clock.step(1)
  await forget()
  expect(await dueTimes()).toEqual([second, third])
  clock.step(400 * DAY_MS)
  await forget()
  expect(await dueTimes()).toEqual([third])
})
