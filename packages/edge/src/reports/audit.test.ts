import { createLog } from '@plantroom/base/log'
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
}

function begin(folder = temporaryFolder()) {
  const it = createCommitsInTest(folder)
  const store = createReportStore(it.journal)
  const logged: { report?: { seq: number }; msg: string }[] = []
  const log = createLog('edge', 'info', { write: (line) => void logged.push(JSON.parse(line)) })
  /** What there was to send, each time that somebody was told. */
  const told: number[][] = []
  const ready = () => store.ready(0, 100).map(({ seq }) => seq)
  const onReady = () => void told.push(ready())
  const audit: Audit = createAudit({ store, commits: it.commits, deviceId: 'dev_1', log, onReady })
  const close = () => {
    it.commits.close()
    it.journal.close()
  }
  return { ...it, store, audit, logged, told, ready, close }
}

describe('an entry of the audit', () => {
  test('says what its code stands for, and has its own id', async () => {
    const { commits, audit, store } = begin()
    const [a, b] = await Promise.all([
      commits.save((to) => audit.add(to, happened, true)),
      commits.save((to) => audit.add(to, { ...happened, code: 4001 }, true)),
    ])
    expect(a).toEqual({
      ...happened,
      id: expect.stringMatching(/^rep_/),
      name: 'OPTIMIZATION_DEMAND_RESPONSE',
      title: 'Demand response adjustment',
      group: 'optimization',
      level: 'INFO',
      deviceId: 'dev_1',
      seq: 1,
    })
    expect(b).toMatchObject({ name: 'OPTIMIZATION_CLOUD_SCHEDULE', title: 'Cloud schedule adjustment', seq: 2 })
    expect(b.id).not.toBe(a.id)
    expect(store.ready(0, 10).map(({ json }) => JSON.parse(json))).toEqual([a, b])
  })

  test('is in the log of the device', async () => {
    const { commits, audit, logged } = begin()
    await commits.save((to) => audit.add(to, happened, false))
    expect(logged).toMatchObject([{ report: { seq: 1, phase: 'applied' }, msg: 'Demand response adjustment' }])
  })

  test('is with the change that it is about or not at all: a number is not used up', async () => {
    const { commits, audit, logged, told, ready } = begin()
    const refused = commits.save((to) => {
      audit.add(to, happened, true)
      throw new Error('no')
    })
    await expect(refused).rejects.toThrow('no')
    expect([logged, told, ready()]).toEqual([[], [], []])
    expect((await commits.save((to) => audit.add(to, happened, true))).seq).toBe(1)
  })

  test('is told of when it can be sent: at once, or when it is settled', async () => {
    const { commits, audit, told } = begin()
    const waiting = await commits.save((to) => audit.add(to, happened, false))
    await commits.save((to) => audit.add(to, happened, true))
    expect(told).toEqual([[]])
    await commits.save((to) => audit.settle(to, { ...waiting, readBack: 20 }))
    expect(told).toEqual([[], [1, 2]])
  })

  test('that the disk does not take is told of when it does', async () => {
    const { commits, audit, told, clock, breakDisk, mendDisk, logged } = begin()
    breakDisk()
    await commits.record((to) => audit.add(to, happened, true))
    expect(logged).toHaveLength(1)
    expect(told).toEqual([])
    mendDisk()
    await clock.advance(5_000)
    await clock.advance(0)
    expect(told).toEqual([[1]])
    expect((await commits.record((to) => audit.add(to, happened, true))).seq).toBe(2)
  })
})

describe('after a restart', () => {
  test('numbers go on, also when everything was sent and forgotten', async () => {
    const folder = temporaryFolder()
    const before = begin(folder)
    for (let n = 0; n < 3; n += 1) await before.commits.save((to) => before.audit.add(to, happened, true))
    await before.commits.save((to) => before.store.forget(to, 3))
    expect((await before.commits.save((to) => before.audit.add(to, happened, true))).seq).toBe(4)
    await before.commits.save((to) => before.store.forget(to, 4))
    before.close()
    const { commits, audit } = begin(folder)
    expect((await commits.save((to) => audit.add(to, happened, true))).seq).toBe(5)
  })

  test('entries that still wait are found again, and the others go as they are', async () => {
    const folder = temporaryFolder()
    const before = begin(folder)
    for (let n = 0; n < 3; n += 1) await before.commits.save((to) => before.audit.add(to, happened, false))
    before.close()
    const { audit, clock, told, ready } = begin(folder)
    const found = audit.takeUp([2, 99])
    expect([...found.keys()]).toEqual([2])
    expect(found.get(2)).toMatchObject({ seq: 2, phase: 'applied', readBack: null })
    await clock.advance(0)
    await clock.advance(0)
    expect(ready()).toEqual([1])
    expect(told).toEqual([[1]])
  })

  test('a full disk does not keep it from being taken up', async () => {
    const folder = temporaryFolder()
    const before = begin(folder)
    for (let n = 0; n < 2; n += 1) await before.commits.save((to) => before.audit.add(to, happened, false))
    before.close()
    const { audit, clock, breakDisk, mendDisk, ready } = begin(folder)
    breakDisk()
    expect([...audit.takeUp([2]).keys()]).toEqual([2])
    await clock.advance(5_000)
    expect(ready()).toEqual([])
    mendDisk()
    await clock.advance(5_000)
    await clock.advance(0)
    expect(ready()).toEqual([1])
  })
})
