import { createLog } from '@plantroom/base/log'
import { sha256 } from '@plantroom/base/sha256'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { createReportStore } from '../store/report-store.ts'
import { createCommitsInTest } from '../testing/commits.ts'
import { type Audit, createAudit, type Happened } from './audit.ts'

const happened: Happened = {
  code: 4005,
  at: '2030-01-01T00:00:00.000Z',
  technicalSystemId: 'sys',
  connectionId: 'conn',
  datapointId: 'power',
  overrideId: 'ovr_1',
  reqId: 'r1',
  phase: 'applied',
  reason: 'window',
  valueBefore: 10,
  value: 20,
  readBack: null,
  placedBy: { id: 'key_1', name: 'Partner', reason: 'peak price' },
}

function begin(folder = temporaryFolder()) {
  const it = createCommitsInTest(folder)
  const store = createReportStore(it.journal)
  const logged: { report?: { seq: number }; msg: string }[] = []
  const log = createLog('edge', 'info', { write: (line) => void logged.push(JSON.parse(line)) })
  /** The entries ready to send at each notification. */
  const notified: number[][] = []
  const ready = () => store.ready(0, 100).map(({ seq }) => seq)
  const onReady = () => void notified.push(ready())
  const audit: Audit = createAudit({ store, commits: it.commits, deviceId: 'dev_1', log, onReady })
  const close = () => {
    it.commits.close()
    it.journal.close()
  }
  return { ...it, store, audit, logged, notified, ready, close }
}

describe('an audit entry', () => {
  test('has the name and title of its code, and a unique id', async () => {
    const { commits, audit, store } = begin()
    const [a, b] = [audit.entry(happened), audit.entry({ ...happened, code: 4001 })]
    await Promise.all([a, b].map((entry) => commits.save((to) => audit.add(to, entry))))
    expect(a).toEqual({
      ...happened,
      id: expect.stringMatching(/^rep_/),
      name: 'OPTIMIZATION_DEMAND_RESPONSE',
      title: 'Demand response adjustment',
      group: 'optimization',
      level: 'INFO',
      deviceId: 'dev_1',
    })
    expect(b).toMatchObject({ name: 'OPTIMIZATION_CLOUD_SCHEDULE', title: 'Cloud schedule adjustment' })
    expect(b.id).not.toBe(a.id)
    expect(store.ready(0, 10).map(({ json }) => JSON.parse(json))).toEqual([
      { ...a, seq: 1, previous: null },
      { ...b, seq: 2, previous: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ])
  })

  test('is written to the log of the device', async () => {
    const { commits, audit, logged } = begin()
    await commits.save((to) => audit.add(to, audit.entry(happened)))
    expect(logged).toMatchObject([{ report: { seq: 1, phase: 'applied' }, msg: 'Demand response adjustment' }])
  })

  test('is logged without the mail address of a person', async () => {
    const { commits, audit, logged } = begin()
    const mari = { id: 'user:usr_1', name: 'mari@example.com', reason: 'test' }
    await commits.save((to) => audit.add(to, audit.entry({ ...happened, placedBy: mari, cancelledBy: mari })))
    expect(logged).toMatchObject([{ report: { placedBy: 'user:usr_1', cancelledBy: 'user:usr_1' } }])
    expect(JSON.stringify(logged)).not.toContain('mari@')
  })

  test('is saved with its change or not at all, without using up a number', async () => {
    const { commits, audit, logged, notified, ready } = begin()
    const refused = commits.save((to) => {
      audit.add(to, audit.entry(happened))
      throw new Error('no')
    })
    await expect(refused).rejects.toThrow('no')
    expect([logged, notified, ready()]).toEqual([[], [], []])
    await commits.save((to) => audit.add(to, audit.entry(happened)))
    expect(ready()).toEqual([1])
  })

  test('is numbered when it is added, so that a pending one delays no other', async () => {
    const { commits, audit, store, notified } = begin()
    const waits = audit.entry({ ...happened, datapointId: 'behind a slow link' })
    await commits.save((to) => audit.add(to, audit.entry(happened)))
    expect(notified).toEqual([[1]])
    await commits.save((to) => audit.add(to, { ...waits, readBack: 20 }))
    expect(notified).toEqual([[1], [1, 2]])
    expect(JSON.parse(store.ready(1, 1)[0]?.json ?? '')).toMatchObject({ ...waits, readBack: 20, seq: 2 })
  })

  test('that cannot be written is sent once it can', async () => {
    const { commits, audit, notified, clock, breakDisk, repairDisk, logged, ready } = begin()
    breakDisk()
    await commits.record((to) => audit.add(to, audit.entry(happened)))
    expect(logged).toHaveLength(1)
    expect(notified).toEqual([])
    repairDisk()
    await clock.advance(5_000)
    await clock.advance(0)
    expect(notified).toEqual([[1]])
    await commits.record((to) => audit.add(to, audit.entry(happened)))
    expect(ready()).toEqual([1, 2])
  })
})

test('numbers continue after a restart, even if every entry was sent and deleted', async () => {
  const folder = temporaryFolder()
  const before = begin(folder)
  for (let n = 0; n < 3; n += 1) await before.commits.save((to) => before.audit.add(to, before.audit.entry(happened)))
  await before.commits.save((to) => before.store.forget(to, 3))
  before.close()
  const { commits, audit, ready } = begin(folder)
  await commits.save((to) => audit.add(to, audit.entry(happened)))
  expect(ready()).toEqual([4])
})

describe('the chain of entries', () => {
  const textsOf = ({ store }: ReturnType<typeof begin>) => store.ready(0, 100).map(({ json }) => String(json))
  const previousOf = (text: string) => (JSON.parse(text) as { previous: string | null }).previous
  const addOne = ({ commits, audit }: ReturnType<typeof begin>) =>
    commits.save((to) => audit.add(to, audit.entry(happened)))

  test('contains in each entry the hash of the text before', async () => {
    const it = begin()
    for (let count = 0; count < 3; count += 1) await addOne(it)
    const texts = textsOf(it)
    expect(texts.map(previousOf)).toEqual([null, ...texts.slice(0, 2).map(sha256)])
  })

  test.each([false, true])('continues after a restart; confirmed by the cloud: %j', async (confirmed) => {
    const folder = temporaryFolder()
    const before = begin(folder)
    for (let count = 0; count < 2; count += 1) await addOne(before)
    const last = textsOf(before).at(-1) ?? ''
    if (confirmed) await before.commits.record((to) => before.store.forget(to, 2))
    before.close()
    const after = begin(folder)
    await addOne(after)
    expect(previousOf(textsOf(after).at(-1) ?? '')).toBe(sha256(last))
  })

  test('continues with the last entry that reached the disk', async () => {
    const it = begin()
    await addOne(it)
    it.breakDisk()
    await expect(addOne(it)).rejects.toThrow()
    it.repairDisk()
    await addOne(it)
    const texts = textsOf(it)
    expect(texts.map(previousOf)).toEqual([null, sha256(texts[0] ?? '')])
  })
})
