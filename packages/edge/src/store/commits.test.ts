import { Failure } from '@plantroom/contract/failure'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type CommitsInTest, createCommitsInTest } from '../testing/commits.ts'
import type { Change } from './commits.ts'

const begin = (folder = temporaryFolder()) => createCommitsInTest(folder)

function insert({ journal }: CommitsInTest, to: Change, ...parameters: (string | number)[]): void {
  to.write(journal.prepare('INSERT INTO thing (name, value) VALUES (?, ?)'), ...parameters)
}

describe('changes requested in the same turn', () => {
  test('share one flush, and those of later turns another', async () => {
    const it = begin()
    const save = (name: string) => it.commits.save((to) => it.put(to, name, 1))
    await Promise.all(['a', 'b', 'c', 'd'].map(save))
    expect(it.flushes).toBe(1)
    await save('e')
    expect(it.flushes).toBe(2)
  })

  test('run in the order of the requests, and each sees the ones before', async () => {
    const { commits, put, memory, onDisk } = begin()
    const seen = await Promise.all(
      [1, 2, 3].map((n) =>
        (n === 2 ? commits.record : commits.save)((to) => {
          const before = memory.get('last')
          put(to, 'last', n)
          return before
        }),
      ),
    )
    expect(seen).toEqual([undefined, 1, 2])
    expect(onDisk()).toEqual({ last: 3 })
  })

  test('are answered in this order, after their actions', async () => {
    const { commits, put } = begin()
    const said: string[] = []
    const save = (name: string) =>
      commits
        .save((to) => {
          put(to, name, 1)
          to.after(() => void said.push(`after ${name}`))
          to.onDisk(() => void said.push(`on disk ${name}`))
        })
        .then(() => void said.push(`answered ${name}`))
    await Promise.all([save('a'), save('b')])
    expect(said).toEqual(['after a', 'after b', 'on disk a', 'on disk b', 'answered a', 'answered b'])
  })

  test('do not flush when they write nothing', async () => {
    const it = begin()
    expect(await Promise.all([it.commits.save(() => 1), it.commits.record(() => 2)])).toEqual([1, 2])
    expect(it.flushes).toBe(0)
  })
})

describe('a change that throws', () => {
  test('is rejected alone and leaves nothing in memory or on disk', async () => {
    const { commits, put, memory, onDisk } = begin()
    let followed = false
    const refused = commits.save((to) => {
      put(to, 'refused', 1)
      put(to, 'shared', 1)
      to.after(() => {
        followed = true
      })
      throw new Failure('rejected', 'no')
    })
    const before = commits.save((to) => put(to, 'shared', 7))
    const after = commits.save(() => memory.get('shared'))
    await expect(refused).rejects.toThrow(new Failure('rejected', 'no'))
    await before
    expect(await after).toBe(7)
    expect(onDisk()).toEqual({ shared: 7 })
    expect([...memory.kept]).toEqual([['shared', 7]])
    expect(followed).toBe(false)
  })

  test('is rejected alone and logged when the error is not a Failure', async () => {
    const { commits, put, onDisk, logged } = begin()
    const broken = commits.record(() => {
      throw new TypeError('of undefined')
    })
    const other = commits.record((to) => put(to, 'other', 1))
    await expect(broken).rejects.toThrow('of undefined')
    await other
    expect(onDisk()).toEqual({ other: 1 })
    expect(logged).toEqual(['a change failed'])
  })

  test('does not end the process when no caller waits for the answer', async () => {
    const { commits, clock, logged } = begin()
    const unhandled: unknown[] = []
    const listen = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', listen)
    onTestFinished(() => void process.off('unhandledRejection', listen))
    void commits.record(() => {
      throw new Error('unheard')
    })
    await clock.advance(0)
    await clock.advance(0)
    expect(logged).toEqual(['a change failed'])
    expect(unhandled).toEqual([])
  })
})

describe('a change with an invalid statement', () => {
  test.each([
    ['a constraint', ['taken', 2]],
    ['a wrong type', ['x', 'text']],
    ['nothing', ['x', undefined as never]],
    ['too many parameters', ['x', 1, 2]],
  ])('is rejected alone and as a whole: %s', async (_what, parameters) => {
    const it = begin()
    await it.commits.save((to) => it.put(to, 'taken', 1))
    const before = it.commits.save((to) => it.put(to, 'before', 1))
    const refused = it.commits.save((to) => {
      it.put(to, 'half', 1)
      insert(it, to, ...parameters)
    })
    const after = it.commits.save((to) => it.put(to, 'after', 1))
    await expect(refused).rejects.toThrow()
    await Promise.all([before, after])
    expect(it.onDisk()).toEqual({ taken: 1, before: 1, after: 1 })
    expect(Object.fromEntries(it.memory.kept)).toEqual({ taken: 1, before: 1, after: 1 })
    expect(it.reserve.released).toBe(0)
  })

  test('does not block other changes after it was kept in memory', async () => {
    const it = begin()
    it.breakDisk()
    await it.commits.record((to) => insert(it, to, 'once', 1))
    await it.commits.record((to) => insert(it, to, 'once', 2))
    await it.commits.record((to) => it.put(to, 'later', 1))
    it.repairDisk()
    await it.commits.save((to) => it.put(to, 'new', 1))
    expect(it.onDisk()).toEqual({ once: 1, later: 1, new: 1 })
    expect(it.logged).toContain('a change kept in memory cannot be written; it is dropped')
  })
})

describe('an action that follows a change', () => {
  test('runs once, when the change is on disk', async () => {
    const { commits, put, onDisk } = begin()
    const seen: unknown[] = []
    await commits.save((to) => {
      put(to, 'a', 1)
      to.after(() => void seen.push(onDisk()))
    })
    expect(seen).toEqual([{ a: 1 }])
  })

  test('that fails undoes nothing and does not stop the others', async () => {
    const it = begin()
    const said: string[] = []
    const failing = it.commits.save((to) => {
      it.put(to, 'a', 1)
      to.after(() => {
        throw new Error('cannot follow')
      })
      to.after(() => void said.push('a'))
      return 'kept'
    })
    const other = it.commits.record((to) => {
      it.put(to, 'b', 1)
      to.after(() => void said.push('b'))
    })
    expect(await failing).toBe('kept')
    await other
    expect(said).toEqual(['a', 'b'])
    expect(it.onDisk()).toEqual({ a: 1, b: 1 })
    expect(it.flushes).toBe(1)
    expect(it.logged).toEqual(['an action that follows a change failed'])
  })

  test('may request another change, which runs in a later turn', async () => {
    const it = begin()
    let more: Promise<void> | undefined
    await it.commits.save((to) => {
      it.put(to, 'a', 1)
      to.after(() => {
        more = it.commits.save((next) => it.put(next, 'b', (it.memory.get('a') ?? 0) + 1))
      })
    })
    expect(it.onDisk()).toEqual({ a: 1 })
    await more
    expect(it.onDisk()).toEqual({ a: 1, b: 2 })
  })
})

describe('a transaction map', () => {
  test('is visible to later changes in the same turn, and empty once they are on disk', async () => {
    const { commits, put } = begin()
    const ahead = commits.transactionMap<string, string>()
    const first = commits.save((to) => {
      put(to, 'a', 1)
      ahead.set('a', 'not on disk yet')
    })
    const second = commits.save(() => ahead.get('a'))
    await first
    expect(await second).toBe('not on disk yet')
    expect(ahead.get('a')).toBeUndefined()
  })

  test('keeps its contents while the disk cannot be written', async () => {
    const { commits, put, breakDisk, repairDisk } = begin()
    const ahead = commits.transactionMap<string, string>()
    breakDisk()
    await commits.record((to) => {
      put(to, 'a', 1)
      ahead.set('a', 'pending')
    })
    await commits.record((to) => put(to, 'b', 1))
    expect(await commits.save(() => ahead.get('a'))).toBe('pending')
    repairDisk()
    await commits.save((to) => put(to, 'c', 1))
    expect(ahead.get('a')).toBeUndefined()
  })

  test('is rolled back with a rejected change', async () => {
    const { commits } = begin()
    const ahead = commits.transactionMap<string, string>()
    await expect(
      commits.save(() => {
        ahead.set('a', 'x')
        throw new Failure('rejected', 'no')
      }),
    ).rejects.toThrow('no')
    expect(ahead.get('a')).toBeUndefined()
  })
})

describe('the last change', () => {
  test('is written, and everything after it is rejected, also in the same turn', async () => {
    const { commits, put, onDisk } = begin()
    const before = commits.save((to) => put(to, 'before', 1))
    const last = commits.save((to) => {
      put(to, 'last', 1)
      to.isLast()
    })
    const after = commits.record((to) => put(to, 'after', 1))
    await Promise.all([before, last])
    await expect(after).rejects.toThrow('the device is stopping')
    await expect(commits.record((to) => put(to, 'later', 1))).rejects.toThrow('the device is stopping')
    expect(onDisk()).toEqual({ before: 1, last: 1 })
  })

  test('that is rejected is not the last', async () => {
    const { commits, put, onDisk } = begin()
    const last = commits.save((to) => {
      to.isLast()
      throw new Failure('rejected', 'no')
    })
    const after = commits.save((to) => put(to, 'after', 1))
    await expect(last).rejects.toThrow('no')
    await after
    expect(onDisk()).toEqual({ after: 1 })
  })
})

describe('closing', () => {
  test('writes pending changes and those that they lead to', async () => {
    const folder = temporaryFolder()
    const { commits, put, journal } = begin(folder)
    const saved = commits.save((to) => {
      put(to, 'a', 1)
      to.after(() => void commits.record((next) => put(next, 'b', 2)))
    })
    commits.close()
    journal.close()
    await saved
    expect(begin(folder).onDisk()).toEqual({ a: 1, b: 2 })
  })

  test('writes the backlog if the disk works again', async () => {
    const folder = temporaryFolder()
    const { commits, put, journal, breakDisk, repairDisk } = begin(folder)
    breakDisk()
    await commits.record((to) => put(to, 'a', 1))
    repairDisk()
    commits.close()
    journal.close()
    expect(begin(folder).onDisk()).toEqual({ a: 1 })
  })

  test('logs changes that are lost', async () => {
    const { commits, put, breakDisk, logged } = begin()
    breakDisk()
    await commits.record((to) => put(to, 'a', 1))
    commits.close()
    expect(logged).toContain('unwritten changes are lost')
  })

  test('rejects later changes, writes nothing and leaves no timer', async () => {
    const { commits, put, journal, clock, reserve } = begin()
    commits.close()
    journal.close()
    await expect(commits.save((to) => put(to, 'a', 1))).rejects.toThrow('the device is stopping')
    await expect(commits.record((to) => put(to, 'a', 1))).rejects.toThrow('the device is stopping')
    await clock.advance(60_000)
    expect(reserve.released).toBe(0)
    expect(clock.waiting()).toEqual([])
  })
})
