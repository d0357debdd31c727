import { Failure } from '@plantroom/contract/failure'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { createCommitsInTest } from '../testing/commits.ts'
import type { Change } from './commits.ts'

const begin = () => createCommitsInTest(temporaryFolder())

const refusedForTheDisk = expect.objectContaining({
  kind: 'rejected',
  message: expect.stringMatching(
    /^the controller cannot keep the command on its disk \(.+\), so it was not accepted; /,
  ),
})

describe('on a disk that cannot be written', () => {
  test('saves are rejected and leave nothing behind', async () => {
    const { commits, put, memory, onDisk, breakDisk } = begin()
    breakDisk()
    const followed: string[] = []
    const saves = ['a', 'b'].map((name) =>
      commits.save((to) => {
        put(to, name, 1)
        to.after(() => void followed.push(name))
      }),
    )
    for (const save of saves) await expect(save).rejects.toEqual(refusedForTheDisk)
    expect([...memory.kept]).toEqual([])
    expect(onDisk()).toEqual({})
    expect(followed).toEqual([])
  })

  test('records run once and are kept in memory', async () => {
    const it = begin()
    it.breakDisk()
    const followed: string[] = []
    let value = 0
    const refused = it.commits.save((to) => it.put(to, 'count', 100))
    const results = ['a', 'b'].map((name) =>
      it.commits.record((to) => {
        value = (it.memory.get('count') ?? 0) + 1
        it.put(to, 'count', value)
        to.after(() => void followed.push(name))
        return value
      }),
    )
    await expect(refused).rejects.toEqual(refusedForTheDisk)
    expect(await Promise.all(results)).toEqual([1, 2])
    expect(followed).toEqual(['a', 'b'])
    expect(Object.fromEntries(it.memory.kept)).toEqual({ count: 2 })
    expect(it.onDisk()).toEqual({})
  })

  test('changes that only read are answered', async () => {
    const { commits, put, memory, breakDisk } = begin()
    await commits.save((to) => put(to, 'a', 7))
    breakDisk()
    const [asked] = await Promise.all([commits.save(() => memory.get('a')), commits.record((to) => put(to, 'b', 1))])
    expect(asked).toBe(7)
  })

  test('a rejection based on a rolled back change is revised', async () => {
    const { commits, put, memory, breakDisk } = begin()
    breakDisk()
    const unlessTaken = (to: Change) => {
      if (memory.get('place') !== undefined) throw new Failure('rejected', 'taken')
      put(to, 'place', 1)
    }
    const first = commits.save(unlessTaken)
    const second = commits.record(unlessTaken)
    await expect(first).rejects.toEqual(refusedForTheDisk)
    await second
    expect(memory.get('place')).toBe(1)
  })

  test('records are written in order once the disk can be written', async () => {
    const { commits, put, clock, onDisk, breakDisk, repairDisk, logged } = begin()
    breakDisk()
    for (const value of [1, 2, 3]) await commits.record((to) => put(to, 'last', value))
    await commits.record((to) => put(to, 'other', 1))
    repairDisk()
    await clock.advance(5_000)
    await clock.advance(0)
    expect(onDisk()).toEqual({ last: 3, other: 1 })
    expect(logged).toEqual(['the journal cannot be written', 'the journal can be written again'])
  })

  test('records are written before later changes', async () => {
    const { commits, put, onDisk, breakDisk, repairDisk, memory } = begin()
    breakDisk()
    await commits.record((to) => put(to, 'last', 1))
    await commits.record((to) => put(to, 'kept', 1))
    repairDisk()
    await commits.save((to) => put(to, 'last', 2))
    expect(onDisk()).toEqual({ last: 2, kept: 1 })
    expect(Object.fromEntries(memory.kept)).toEqual({ last: 2, kept: 1 })
  })

  test('the failure is logged once, however often it is retried', async () => {
    const { commits, put, clock, breakDisk, logged } = begin()
    breakDisk()
    for (const n of [1, 2, 3]) await commits.record((to) => put(to, 'n', n))
    await clock.advance(60_000)
    expect(logged).toEqual(['the journal cannot be written'])
  })

  test('onDisk actions run when the change is on disk, not before', async () => {
    const { commits, put, clock, onDisk, breakDisk, repairDisk } = begin()
    const notified: unknown[] = []
    breakDisk()
    await commits.record((to) => {
      put(to, 'a', 1)
      to.onDisk(() => void notified.push(onDisk()))
    })
    await clock.advance(5_000)
    expect(notified).toEqual([])
    repairDisk()
    await clock.advance(5_000)
    await clock.advance(0)
    expect(notified).toEqual([{ a: 1 }])
    await commits.record((to) => put(to, 'a', 2))
    expect(notified).toHaveLength(1)
  })

  test('the reserve is released, for records only', async () => {
    const { reserve, commits, put, memory, onDisk, breakDisk, repairDisk } = begin()
    breakDisk()
    Object.defineProperty(reserve, 'released', { get: () => 0, set: repairDisk })
    await Promise.all([
      expect(commits.save((to) => put(to, 'new', 1))).rejects.toEqual(refusedForTheDisk),
      commits.record((to) => put(to, 'release', 1)),
    ])
    expect(onDisk()).toEqual({ release: 1 })
    expect(memory.get('new')).toBeUndefined()
  })
})

describe('on a disk with little free space', () => {
  test('saves are rejected before they are tried, and records are accepted', async () => {
    const { commits, put, onDisk, reserve, memory } = begin()
    reserve.room = false
    const save = commits.save((to) => put(to, 'new', 1))
    const record = commits.record((to) => put(to, 'release', 1))
    const question = commits.save(() => memory.get('release'))
    await expect(save).rejects.toEqual(refusedForTheDisk)
    await record
    expect(await question).toBe(1)
    expect(onDisk()).toEqual({ release: 1 })
    expect(reserve.released).toBe(0)
  })

  test('space is reserved again when the backlog is written', async () => {
    const { commits, put, clock, reserve, breakDisk, repairDisk } = begin()
    breakDisk()
    await commits.record((to) => put(to, 'a', 1))
    await clock.advance(5_000)
    expect(reserve.restored).toBe(0)
    repairDisk()
    await clock.advance(10_000)
    expect(reserve.restored).toBe(1)
  })
})
