import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import { retainedBytes } from './testing/retained.ts'
import { createTurns, type Turns } from './turns.ts'

const UNDER_WAY = 32
const WAITING = 256

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Takes turns for work that goes on until it is told to end. */
function start(turns: Turns = createTurns({ underWay: 32, waiting: 256 })) {
  const started: number[] = []
  const finish: ((error?: Error) => void)[] = []
  const results: Promise<number>[] = []

  function take(deviceId = 'dev'): number {
    const number = results.length
    const result = turns.take(deviceId, () => {
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
    turns,
    started,
    results,
    take,
    takeMany: (count: number) => Array.from({ length: count }, () => take()),
    end: async (number: number, error?: Error) => {
      finish[number]?.(error)
      await settle()
    },
  }
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

describe('the commands to one device', () => {
  test('are under way at once, up to 32 of them; the next wait', async () => {
    const { started, takeMany } = start()
    takeMany(UNDER_WAY + 3)
    await settle()
    expect(started).toEqual(numbers(0, UNDER_WAY))
  })

  test('get their turn in the order in which they came', async () => {
    const { started, takeMany, end } = start()
    takeMany(UNDER_WAY + 5)
    for (const number of [7, 0, 31, 12, 3]) await end(number)
    expect(started).toEqual(numbers(0, UNDER_WAY + 5))
  })

  test('do not overtake those that wait', async () => {
    const { started, takeMany, take, end } = start()
    takeMany(UNDER_WAY + 1)
    const ending = end(0)
    // Comes in the moment in which a place becomes free.
    take()
    await ending
    expect(started).toEqual(numbers(0, UNDER_WAY + 1))
    await end(1)
    expect(started).toEqual(numbers(0, UNDER_WAY + 2))
  })

  test('do not wait for those to another device', async () => {
    const { started, takeMany, take } = start()
    takeMany(UNDER_WAY + 1)
    const other = take('other')
    await settle()
    expect(started).toContain(other)
  })

  test('give their result, and their error, to whoever sent them', async () => {
    const { results, takeMany, end } = start()
    takeMany(2)
    await end(0)
    await end(1, new Error('the device said no'))
    await expect(results[0]).resolves.toBe(0)
    await expect(results[1]).rejects.toThrow('the device said no')
  })
})

describe('a command for which there is no room', () => {
  test('is refused at once: the 257th that would wait', async () => {
    const { results, takeMany, take } = start()
    takeMany(UNDER_WAY + WAITING)
    const failure = await results[take()]?.catch((error) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect([failure.kind, failure.message]).toEqual([
      'offline',
      'the device is busy: 288 commands are before this one; retry with backoff',
    ])
  })

  test('takes nobody else’s place: the next finds room as soon as there is some', async () => {
    const { started, takeMany, take, end } = start()
    takeMany(UNDER_WAY + WAITING)
    take()
    await end(0)
    const next = take()
    for (const number of numbers(1, UNDER_WAY + WAITING)) await end(number)
    expect(started).toHaveLength(UNDER_WAY + WAITING + 1)
    expect(started.at(-1)).toBe(next)
  })
})

describe('a command that fails', () => {
  test('frees its place, whether it fails later or at once', async () => {
    const { turns, started, takeMany, end } = start()
    takeMany(UNDER_WAY)
    const throwing = turns.take('dev', () => {
      throw new Failure('offline', 'gone')
    })
    const thrown = expect(throwing).rejects.toThrow('gone')
    takeMany(1)
    await end(5, new Error('failed'))
    await thrown
    await settle()
    expect(started).toEqual(numbers(0, UNDER_WAY + 1))
  })
})

describe('devices that are asked nothing any more', () => {
  test('leave nothing behind', async () => {
    const turns = createTurns({ underWay: 32, waiting: 256 })
    const ask = async (round: number) => {
      const asked = Array.from({ length: 1_000 }, (_, index) => {
        const work = async () => {
          if (index % 2 === 0) throw new Error('no')
        }
        return turns.take(`device-${round}-${index}-${'x'.repeat(100)}`, work).catch(() => {})
      })
      await Promise.all(asked)
    }
    await ask(0)
    const retained = await retainedBytes(async () => {
      for (let round = 1; round <= 50; round += 1) await ask(round)
    })
    // Kept, each would take several hundred bytes.
    expect(retained).toBeLessThan(2_000_000)
  })
})
