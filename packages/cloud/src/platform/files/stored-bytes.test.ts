import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createStoredBytes } from './stored-bytes.ts'

function openWith(bytes: number) {
  const clock = createManualClock()
  const disk = { bytes, lists: 0, begun: Promise.withResolvers<void>(), free: Promise.resolve() }
  const stored = createStoredBytes(async () => {
    disk.lists += 1
    const listed = disk.bytes
    disk.begun.resolve()
    await disk.free
    return listed
  }, clock)
  return { clock, disk, stored }
}

describe('what an organization has stored', () => {
  test('is listed once for many uploads, each of which counts when it has ended', async () => {
    const { disk, stored } = openWith(10)
    for (let upload = 0; upload < 90; upload += 1) {
      expect(await stored.fit('a', 1, 100)).toBe(true)
      stored.add('a', 1)
    }
    expect(disk.lists).toBe(1)
  })

  test('is listed again before anything is refused, because files were removed or replaced', async () => {
    const { disk, stored } = openWith(10)
    expect(await stored.fit('a', 90, 100)).toBe(true)
    stored.add('a', 90)
    disk.bytes = 100
    expect(await stored.fit('a', 1, 100)).toBe(false)
    disk.bytes = 50
    expect(await stored.fit('a', 1, 100)).toBe(true)
    expect(disk.lists).toBe(3)
  })

  test('is listed again after a minute, because another process stores files too', async () => {
    const { clock, disk, stored } = openWith(10)
    expect(await stored.fit('a', 50, 100)).toBe(true)
    disk.bytes = 60
    await clock.advance(60_000)
    expect(await stored.fit('a', 50, 100)).toBe(false)
  })

  test('is listed once for those who ask at the same time, and counts what ends meanwhile', async () => {
    const { disk, stored } = openWith(10)
    const { promise, resolve } = Promise.withResolvers<void>()
    disk.free = promise
    const asked = [stored.fit('a', 50, 100), stored.fit('a', 50, 100)]
    await disk.begun.promise
    stored.add('a', 45)
    resolve()
    expect(await Promise.all(asked)).toEqual([false, false])
    expect(disk.lists).toBe(1)
  })

  test('is not that of another organization, and a list that failed is not believed', async () => {
    const { disk, stored } = openWith(100)
    expect(await stored.fit('a', 1, 100)).toBe(false)
    disk.free = Promise.reject(new Error('the disk does not answer'))
    await expect(stored.fit('b', 0, 100)).rejects.toThrow('does not answer')
    disk.free = Promise.resolve()
    expect(await stored.fit('b', 0, 100)).toBe(true)
  })
})
