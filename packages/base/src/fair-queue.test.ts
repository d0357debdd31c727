import { createManualClock } from '@plantroom/testkit/manual-clock'
import { retainedBytes } from '@plantroom/testkit/retained'
import { describe, expect, test } from 'vitest'
import { correlate, currentCorrelation } from './correlation.ts'
import { createFairQueue, type FairQueueLimits, type Full } from './fair-queue.ts'

class Refused extends Error {
  readonly full: Full

  constructor(full: Full) {
    super(`full: ${full}`)
    this.full = full
  }
}

/** Lets every promise that is due settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A queue whose work runs until the test ends it. Work is named after its group and its number in it: `a1`. */
function start(limits: FairQueueLimits) {
  const queue = createFairQueue(limits, (full) => new Refused(full))
  const started: string[] = []
  const refused: string[] = []
  const counts = new Map<string, number>()
  const ends = new Map<string, (error?: Error) => void>()
  const results = new Map<string, Promise<string>>()

  function run(group: string, signal?: AbortSignal): void {
    const number = (counts.get(group) ?? 0) + 1
    counts.set(group, number)
    const name = group + number
    const work = () => {
      started.push(name)
      return new Promise<string>((resolve, reject) => {
        ends.set(name, (error) => (error ? reject(error) : resolve(name)))
      })
    }
    const result = queue.run(group, work, signal)
    results.set(name, result)
    result.catch((error: unknown) => {
      if (error instanceof Refused) refused.push(`${name} ${error.full}`)
    })
  }

  return {
    queue,
    started,
    refused,
    run,
    runMany(group: string, count: number) {
      for (let times = 0; times < count; times += 1) run(group)
    },
    result: (name: string) => results.get(name),
    async end(name: string, error?: Error) {
      ends.get(name)?.(error)
      await settle()
    },
    /** Ends what runs, one after the other, until nothing does. */
    async endAll() {
      for (const name of started) {
        ends.get(name)?.()
        await settle()
      }
    },
  }
}

describe('groups', () => {
  test('are served in turn, whatever one of them has waiting', async () => {
    const { started, run, runMany, endAll } = start({ atOnce: 1, waitingPerGroup: 100 })
    runMany('a', 5)
    runMany('b', 2)
    run('c')
    await endAll()
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5'])
  })

  test('have a share each: the rest of a group waits, also while there is room', async () => {
    const { started, runMany, run, end } = start({ atOnce: 3, atOncePerGroup: 2, waitingPerGroup: 100 })
    runMany('a', 4)
    await settle()
    expect(started).toEqual(['a1', 'a2'])
    run('b')
    run('b')
    expect(started).toEqual(['a1', 'a2', 'b1'])
    await end('b1')
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2'])
    await end('a1')
    expect(started).toEqual(['a1', 'a2', 'b1', 'b2', 'a3'])
  })

  test('rest after their work for as long as it took, at most a second, while others work', async () => {
    const clock = createManualClock()
    const { started, run, runMany, result, end } = start({ atOncePerGroup: 1, waitingPerGroup: 100, rest: clock })
    runMany('a', 3)
    await clock.advance(200)
    await end('a1')
    await expect(result('a1')).resolves.toBe('a1')
    run('b')
    await clock.advance(199)
    expect(started).toEqual(['a1', 'b1'])
    await clock.advance(1)
    await settle()
    expect(started).toEqual(['a1', 'b1', 'a2'])
    await clock.advance(60_000)
    await end('a2')
    await clock.advance(1_000)
    await settle()
    expect(started).toEqual(['a1', 'b1', 'a2', 'a3'])
  })

  test('without work take no memory', async () => {
    const { queue } = start({ atOnce: 2, waiting: 1_000, waitingPerGroup: 10 })
    const ask = async (round: number) => {
      const asked = Array.from({ length: 1_000 }, (_, index) => {
        const leaving = index % 3 === 0 ? AbortSignal.abort() : undefined
        const work = async () => {
          if (index % 2 === 0) throw new Error('no')
        }
        return queue.run(`group-${round}-${index}-${'x'.repeat(100)}`, work, leaving).catch(() => {})
      })
      await Promise.all(asked)
    }
    await ask(0)
    const retained = await retainedBytes(async () => {
      for (let round = 1; round <= 50; round += 1) await ask(round)
    })
    // Each group that stayed in memory would take several hundred bytes.
    expect(retained).toBeLessThan(2_000_000)
  })
})

describe('the work of a group', () => {
  test('runs in the order of its arrival, and passes its result or error on', async () => {
    const { started, runMany, result, end } = start({ atOncePerGroup: 2, waitingPerGroup: 100 })
    runMany('a', 4)
    await end('a2', new Error('no'))
    await end('a1')
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4'])
    await expect(result('a1')).resolves.toBe('a1')
    await expect(result('a2')).rejects.toThrow('no')
  })

  test('does not overtake what waits when it arrives at the moment a place becomes free', async () => {
    const { started, runMany, run, end } = start({ atOncePerGroup: 1, waitingPerGroup: 100 })
    runMany('a', 2)
    const ending = end('a1')
    run('a')
    await ending
    expect(started).toEqual(['a1', 'a2'])
  })

  test('frees its place when it throws before it returns a promise', async () => {
    const { queue, started, run } = start({ atOnce: 1, waitingPerGroup: 100 })
    const throwing = queue.run('a', () => {
      throw new Error('broken')
    })
    run('a')
    await expect(throwing).rejects.toThrow('broken')
    await settle()
    expect(started).toEqual(['a1'])
  })

  test('keeps the context of its own request in the log', async () => {
    const { queue, run, end } = start({ atOnce: 1, waitingPerGroup: 100 })
    correlate({ requestId: 'first' }, () => run('a'))
    const seen = correlate({ requestId: 'second' }, () => queue.run('a', async () => currentCorrelation().requestId))
    await end('a1')
    expect(await seen).toBe('second')
  })
})

describe('work without room to wait', () => {
  test('is refused because of its own group, and others still wait', async () => {
    const { started, refused, run, runMany, endAll } = start({ atOnce: 1, waitingPerGroup: 2 })
    runMany('a', 5)
    run('b')
    await endAll()
    expect(refused).toEqual(['a4 group', 'a5 group'])
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  test('takes the place of the newest of the longest group, until all are as long', async () => {
    const { started, refused, run, runMany, endAll } = start({ atOnce: 1, waiting: 4, waitingPerGroup: 10 })
    run('x')
    runMany('a', 4)
    run('b')
    run('b')
    run('b')
    await settle()
    expect(refused.toSorted()).toEqual(['a3 all', 'a4 all', 'b3 all'])
    await endAll()
    expect(started).toEqual(['x1', 'a1', 'b1', 'a2', 'b2'])
  })

  test('leaves its place to the next that comes', async () => {
    const { started, run, runMany, end, endAll } = start({ atOnce: 1, waitingPerGroup: 1 })
    runMany('a', 3)
    await end('a1')
    run('a')
    await endAll()
    expect(started).toEqual(['a1', 'a2', 'a4'])
  })
})

describe('work whose caller leaves', () => {
  test('gives its place up and never runs', async () => {
    const { started, refused, run, runMany, result, endAll } = start({ atOnce: 1, waiting: 2, waitingPerGroup: 2 })
    const leaving = new AbortController()
    runMany('a', 2)
    run('a', leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(result('a3')).rejects.toThrow('gone')
    run('b')
    await endAll()
    expect(started).toEqual(['a1', 'a2', 'b1'])
    expect(refused).toEqual([])
  })

  test('is not interrupted once it runs', async () => {
    const { run, result, end } = start({ atOnce: 1, waitingPerGroup: 2 })
    const leaving = new AbortController()
    run('a', leaving.signal)
    leaving.abort(new Error('gone'))
    await end('a1')
    expect(await result('a1')).toBe('a1')
  })
})
