import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import { retainedBytes } from './testing/retained.ts'

const RUNNING = 32
const QUEUED = 256
const LIMITS = { running: RUNNING, queued: QUEUED }

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Runs work that continues until the test ends it. */
function start(limit: ConcurrencyLimit = createConcurrencyLimit(LIMITS)) {
  const started: number[] = []
  const finish: ((error?: Error) => void)[] = []
  const results: Promise<number>[] = []

  function run(deviceId = 'dev'): number {
    const number = results.length
    const result = limit.run(deviceId, () => {
      started.push(number)
      return new Promise<number>((resolve, reject) => {
        finish[number] = (error) => (error ? reject(error) : resolve(number))
      })
    })
    result.catch(() => {})
    results.push(result)
    return number
  }

  return {
    limit,
    started,
    results,
    run,
    runMany: (count: number) => Array.from({ length: count }, () => run()),
    end: async (number: number, error?: Error) => {
      finish[number]?.(error)
      await settle()
    },
  }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

describe('the commands to one device', () => {
  test('run concurrently up to the limit; the others are queued', async () => {
    const { started, runMany } = start()
    runMany(RUNNING + 3)
    await settle()
    expect(started).toEqual(numbers(0, RUNNING))
  })

  test('run in the order they arrived', async () => {
    const { started, runMany, end } = start()
    runMany(RUNNING + 5)
    for (const number of [7, 0, 31, 12, 3]) await end(number)
    expect(started).toEqual(numbers(0, RUNNING + 5))
  })

  test('do not overtake queued commands', async () => {
    const { started, runMany, run, end } = start()
    runMany(RUNNING + 1)
    const ending = end(0)
    // Arrives at the moment a slot becomes free.
    run()
    await ending
    expect(started).toEqual(numbers(0, RUNNING + 1))
    await end(1)
    expect(started).toEqual(numbers(0, RUNNING + 2))
  })

  test('do not wait for commands to another device', async () => {
    const { started, runMany, run } = start()
    runMany(RUNNING + 1)
    const other = run('other')
    await settle()
    expect(started).toContain(other)
  })

  test('pass their result or error on to the caller', async () => {
    const { results, runMany, end } = start()
    runMany(2)
    await end(0)
    await end(1, new Error('the device said no'))
    await expect(results[0]).resolves.toBe(0)
    await expect(results[1]).rejects.toThrow('the device said no')
  })
})

describe('a command when the queue is full', () => {
  test('is rejected immediately', async () => {
    const { results, runMany, run } = start()
    runMany(RUNNING + QUEUED)
    const failure = await results[run()]?.catch((error) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect([failure.kind, failure.message]).toEqual([
      'offline',
      'the device is busy: 288 commands are ahead of this one; retry with backoff',
    ])
  })

  test('does not take a slot: the next command is queued as soon as there is room', async () => {
    const { started, runMany, run, end } = start()
    runMany(RUNNING + QUEUED)
    run()
    await end(0)
    const next = run()
    for (const number of numbers(1, RUNNING + QUEUED)) await end(number)
    expect(started).toHaveLength(RUNNING + QUEUED + 1)
    expect(started.at(-1)).toBe(next)
  })
})

describe('a command that fails', () => {
  test('frees its slot, whether it fails synchronously or later', async () => {
    const { limit, started, runMany, end } = start()
    runMany(RUNNING)
    const throwing = limit.run('dev', () => {
      throw new Failure('offline', 'gone')
    })
    const thrown = expect(throwing).rejects.toThrow('gone')
    runMany(1)
    await end(5, new Error('failed'))
    await thrown
    await settle()
    expect(started).toEqual(numbers(0, RUNNING + 1))
  })
})

describe('devices without commands', () => {
  test('use no memory', async () => {
    const limit = createConcurrencyLimit(LIMITS)
    const ask = async (round: number) => {
      const asked = Array.from({ length: 1_000 }, (_, index) => {
        const work = async () => {
          if (index % 2 === 0) throw new Error('no')
        }
        return limit.run(`device-${round}-${index}-${'x'.repeat(100)}`, work).catch(() => {})
      })
      await Promise.all(asked)
    }
    await ask(0)
    const retained = await retainedBytes(async () => {
      for (let round = 1; round <= 50; round += 1) await ask(round)
    })
    // Each queue that stayed in memory would take several hundred bytes.
    expect(retained).toBeLessThan(2_000_000)
  })
})
