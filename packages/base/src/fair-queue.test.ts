import { expect, test } from 'vitest'
import { FairQueue, QueueFull } from './fair-queue.ts'

/** A queue whose tasks end when the test says so, and the names of those that started. */
function openQueue(bounds: { atOnce: number; waitingPerGroup?: number }) {
  const queue = new FairQueue({ waitingPerGroup: 100, ...bounds })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    add: (name: string, signal?: AbortSignal) =>
      queue.run(
        name.slice(0, 1),
        () => {
          started.push(name)
          return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
        },
        signal,
      ),
    /** Ends a task, and lets the next one start. */
    async end(name: string): Promise<void> {
      await new Promise(setImmediate)
      ends.get(name)?.()
      await new Promise(setImmediate)
    },
  }
}

test('one group takes at most half of the places, and another starts beside it', async () => {
  const { add, started } = openQueue({ atOnce: 4 })
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1']) void add(name)
  await new Promise(setImmediate)
  expect(started).toEqual(['a1', 'a2', 'b1', 'b2'])
})

test('groups are served in turn, however many tasks one of them has waiting', async () => {
  const { add, started, end } = openQueue({ atOnce: 2 })
  for (const name of ['a1', 'b1', 'a2', 'a3', 'a4', 'c1', 'd1']) void add(name)
  await new Promise(setImmediate)
  await end('b1')
  await end('a1')
  await end('c1')
  await end('a2')
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'd1', 'a3'])
})

test('a task that fails makes room, and its caller gets the error', async () => {
  const queue = new FairQueue({ atOnce: 1, waitingPerGroup: 1 })
  const failed = queue.run('a', async () => {
    throw new Error('broken')
  })
  await expect(failed).rejects.toThrow('broken')
  expect(await queue.run('a', async () => 'done')).toBe('done')
})

test('a group with too many tasks waiting is refused, and another is not', async () => {
  const { add, end } = openQueue({ atOnce: 2, waitingPerGroup: 1 })
  void add('a1')
  void add('a2')
  await expect(add('a3')).rejects.toThrow(QueueFull)
  const other = add('b1')
  await end('b1')
  expect(await other).toBe('b1')
})

test('a task that is given up while it waits never starts', async () => {
  const { add, started, end } = openQueue({ atOnce: 2 })
  const given = new AbortController()
  void add('a1')
  const waiting = add('a2', given.signal)
  void add('a3')
  given.abort(new Error('too late'))
  await expect(waiting).rejects.toThrow('too late')
  await expect(add('a4', given.signal)).rejects.toThrow('too late')
  await end('a1')
  expect(started).toEqual(['a1', 'a3'])
})
