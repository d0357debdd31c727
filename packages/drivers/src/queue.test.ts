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
