import { Failure } from '@plantroom/contract/failure'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { createCommitsInTest } from '../testing/commits.ts'

const LATE = new Failure('rejected', 'too late')

describe('a change that must not stay when it reaches the disk too late', () => {
  test('is undone on disk and in memory before anything follows from it, and the caller gets the failure', async () => {
    const { commits, put, onDisk, memory } = createCommitsInTest(temporaryFolder())
    const seen: unknown[] = []
    const late = commits.save((to) => {
      put(to, 'a', 1)
      to.after(() => void seen.push(memory.get('a'), onDisk()))
      to.revokeIf(
        () => LATE,
        (undoing) => put(undoing, 'a', (memory.get('a') ?? 0) + 10),
      )
    })
    await expect(late).rejects.toBe(LATE)
    expect(seen).toEqual([11, { a: 11 }])
  })

  test('stays when it is in time, with one flush', async () => {
    const it = createCommitsInTest(temporaryFolder())
    await it.commits.save((to) => {
      it.put(to, 'a', 1)
      to.revokeIf(
        () => undefined,
        (undoing) => it.put(undoing, 'a', 2),
      )
    })
    expect([it.onDisk(), it.flushes]).toEqual([{ a: 1 }, 1])
  })

  test('leaves the changes that share its flush', async () => {
    const { commits, put, onDisk } = createCommitsInTest(temporaryFolder())
    const late = commits.save((to) => {
      put(to, 'a', 1)
      to.revokeIf(
        () => LATE,
        (undoing) => put(undoing, 'a', 0),
      )
    })
    const other = commits.save((to) => put(to, 'b', 1))
    await expect(late).rejects.toBe(LATE)
    await other
    expect(onDisk()).toEqual({ a: 0, b: 1 })
  })

  test('is not asked when it was rejected anyway', async () => {
    const { commits, put, onDisk } = createCommitsInTest(temporaryFolder())
    const rejected = commits.save((to) => {
      to.revokeIf(
        () => LATE,
        (undoing) => put(undoing, 'a', 0),
      )
      throw new Failure('rejected', 'no')
    })
    await expect(rejected).rejects.toThrow('no')
    expect(onDisk()).toEqual({})
  })

  test('is undone in memory when the disk has failed by then, and on disk when it works again', async () => {
    const { commits, put, onDisk, memory, breakDisk, repairDisk, clock } = createCommitsInTest(temporaryFolder())
    const late = commits.save((to) => {
      put(to, 'a', 1)
      to.revokeIf(
        () => {
          breakDisk()
          return LATE
        },
        (undoing) => put(undoing, 'a', 0),
      )
    })
    await expect(late).rejects.toBe(LATE)
    expect([memory.kept.get('a'), onDisk()]).toEqual([0, { a: 1 }])
    repairDisk()
    await clock.advance(5_000)
    await clock.advance(0)
    expect(onDisk()).toEqual({ a: 0 })
  })
})
