import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createQueue } from './queue.ts'

function record() {
  const inTurn = createQueue()
  const done: string[] = []
  const add = (name: string, rank?: number) =>
    inTurn(async () => {
      await Promise.resolve()
      done.push(name)
      return name
    }, rank)
  return { add, done, inTurn }
}

describe('a queue', () => {
  test('runs one piece of work at a time, in order', async () => {
    const { add, done } = record()
    expect(await Promise.all([add('a'), add('b'), add('c')])).toEqual(['a', 'b', 'c'])
    expect(done).toEqual(['a', 'b', 'c'])
    expect(await add('d')).toBe('d')
  })

  test('lets a lower rank overtake queued work, but not running work', async () => {
    const { add, done } = record()
    await Promise.all([
      add('read 1', 2),
      add('read 2', 2),
      add('setpoint 1', 1),
      add('setpoint 2', 1),
      add('release', 0),
    ])
    expect(done).toEqual(['read 1', 'release', 'setpoint 1', 'setpoint 2', 'read 2'])
  })

  test('continues after work that fails', async () => {
    const { add, inTurn } = record()
    const failing = inTurn(async () => Promise.reject(new Error('broken')))
    const throwing = inTurn(() => {
      throw new Error('thrown')
    })
    const next = add('next')
    await expect(failing).rejects.toThrow('broken')
    await expect(throwing).rejects.toThrow('thrown')
    expect(await next).toBe('next')
  })
})

describe('a queue with overtaking', () => {
  function start() {
    const clock = createManualClock()
    const inTurn = createQueue({ clock, below: 2, afterMs: 100 })
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const add = (name: string, rank: number, key?: string) => {
      const work = () =>
        new Promise<void>((resolve) => {
          begun.push(name)
          ends.set(name, resolve)
        })
      void inTurn(work, rank, key)
    }
    const end = async (name: string) => {
      ends.get(name)?.()
      await clock.advance(0)
    }
    return { clock, add, begun, end }
  }

  test('starts urgent work beside work that takes too long, and other work not', async () => {
    const { clock, add, begun, end } = start()
    for (const name of ['read 1', 'read 2']) add(name, 2)
    await clock.advance(1000)
    add('write', 1)
    await clock.advance(99)
    expect(begun).toEqual(['read 1'])
    await clock.advance(1)
    expect(begun).toEqual(['read 1', 'write'])
    await end('write')
    await clock.advance(1000)
    expect(begun).toEqual(['read 1', 'write'])
    await end('read 1')
    expect(begun).toEqual(['read 1', 'write', 'read 2'])
  })

  test('starts one piece at a time, the most urgent first, and goes on as soon as one is done', async () => {
    const { clock, add, begun, end } = start()
    add('read', 2)
    add('setpoint', 1)
    add('release', 0)
    await clock.advance(100)
    expect(begun).toEqual(['read', 'release'])
    await end('release')
    expect(begun).toEqual(['read', 'release', 'setpoint'])
  })

  test('goes past any number of pieces that hang', async () => {
    const { clock, add, begun } = start()
    for (const name of ['a', 'b', 'c', 'd']) add(name, 1)
    await clock.advance(300)
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  test('never starts work beside work with the same key, and starts it when that is done', async () => {
    const { clock, add, begun, end } = start()
    add('setpoint', 1, 'pump')
    add('release', 0, 'pump')
    add('other', 1, 'fan')
    await clock.advance(500)
    expect(begun).toEqual(['setpoint', 'other'])
    await end('other')
    expect(begun).toEqual(['setpoint', 'other'])
    await end('setpoint')
    expect(begun).toEqual(['setpoint', 'other', 'release'])
  })

  test('leaves no work behind', async () => {
    const { clock, add, begun, end } = start()
    add('read 1', 2)
    add('write 1', 1, 'pump')
    add('write 2', 1, 'pump')
    add('read 2', 2)
    await clock.advance(100)
    for (const name of ['read 1', 'write 1', 'write 2', 'read 2']) await end(name)
    expect(begun).toEqual(['read 1', 'write 1', 'read 2', 'write 2'])
  })
})
