import { sha256 } from '@plantroom/base/sha256'
import type { ReportBatch } from '@plantroom/contract/reports'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { createReportStore } from '../store/report-store.ts'
import { createCommitsInTest } from '../testing/commits.ts'
import { aReportEntry } from '../testing/report-entry.ts'
import { createReportOutbox } from './audit.ts'

const signer = { sign: (hash: string) => ({ key: 'public', signature: `signed ${hash}` }) }

function begin(folder = temporaryFolder()) {
  const it = createCommitsInTest(folder)
  const store = createReportStore(it.journal)
  const points: string[] = []
  const outbox = createReportOutbox({ store, commits: it.commits, signer, reached: (point) => void points.push(point) })
  const add = (seq: number) => it.commits.record((to) => void store.add(to, aReportEntry({ seq })))
  const next = () => {
    const batch = outbox.nextBatch()
    if (!batch) return undefined
    const { entries } = JSON.parse(batch.payload) as ReportBatch
    return { upTo: batch.upTo, seqs: entries.map(({ seq }) => seq) }
  }
  return { ...it, store, outbox, points, add, next }
}

describe('the outbox of the audit', () => {
  test('is empty on a new device', () => {
    expect(begin().next()).toBeUndefined()
  })

  test('returns entries in order, and the same batch until they are deleted', async () => {
    const { add, next, outbox } = begin()
    for (const seq of [1, 2, 3]) await add(seq)
    expect(next()).toEqual({ upTo: 3, seqs: [1, 2, 3] })
    expect(outbox.nextBatch()).toEqual(outbox.nextBatch())
  })

  test('returns complete entries', async () => {
    const { add, outbox } = begin()
    await add(1)
    expect(JSON.parse(outbox.nextBatch()?.payload ?? '')).toMatchObject({ entries: [aReportEntry({ seq: 1 })] })
  })

  test('signs the last entry of a batch', async () => {
    const { add, outbox } = begin()
    for (const seq of [1, 2]) await add(seq)
    const { signed } = JSON.parse(outbox.nextBatch()?.payload ?? '') as ReportBatch
    expect(signed).toEqual(signer.sign(sha256(JSON.stringify(aReportEntry({ seq: 2 })))))
  })

  test('sends a batch unsigned while there is no key', async () => {
    const { commits, store } = begin()
    await commits.record((to) => void store.add(to, aReportEntry({ seq: 1 })))
    const outbox = createReportOutbox({ store, commits, signer: { sign: () => undefined } })
    expect(JSON.parse(outbox.nextBatch()?.payload ?? '')).toEqual({ entries: [aReportEntry({ seq: 1 })] })
  })

  test('returns at most one message of entries', async () => {
    const { commits, store, next, outbox } = begin()
    await commits.save((to) => {
      for (let seq = 1; seq <= 2050; seq += 1) store.add(to, aReportEntry({ seq }))
    })
    const lengths: number[] = []
    for (let batch = next(); batch; batch = next()) {
      lengths.push(batch.seqs.length)
      outbox.forget(batch.upTo)
    }
    expect(lengths).toEqual([1000, 1000, 50])
  })

  test('does not return confirmed entries that are still on the disk', async () => {
    const { add, next, outbox, store, points, clock, breakDisk, repairDisk } = begin()
    await add(1)
    await add(2)
    breakDisk()
    outbox.forget(1)
    expect(points).toEqual(['report:confirmed'])
    expect(next()).toEqual({ upTo: 2, seqs: [2] })
    await clock.advance(0)
    expect(store.count()).toBe(2)
    repairDisk()
    await clock.advance(5_000)
    await clock.advance(0)
    expect(store.count()).toBe(1)
    expect(next()).toEqual({ upTo: 2, seqs: [2] })
  })

  test('returns them again after a power cut before they were deleted', async () => {
    const folder = temporaryFolder()
    const { add, outbox, next, journal } = begin(folder)
    await add(1)
    outbox.forget(1)
    expect(next()).toBeUndefined()
    journal.close()
    expect(begin(folder).next()).toEqual({ upTo: 1, seqs: [1] })
  })
})
