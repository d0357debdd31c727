import { createManualClock } from '@plantroom/testkit/manual-clock'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { watch } from './watch.ts'

let told: MockInstance<typeof console.error>
beforeEach(() => {
  told = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => told.mockRestore())

describe('watching', () => {
  test('shows at once, then every so often, as many times as asked', async () => {
    const clock = createManualClock(0)
    const shown: number[] = []
    const watched = watch({ everySeconds: 2, count: 3, clock, show: async () => void shown.push(clock.now()) })
    await clock.advance(10_000)
    await watched
    expect(shown).toEqual([0, 2000, 4000])
  })

  test('tells of a failure and goes on: devices come back', async () => {
    const clock = createManualClock()
    let times = 0
    const show = async () => {
      times += 1
      if (times === 1) throw new Error('the device is offline')
    }
    const watched = watch({ everySeconds: 1, count: 2, clock, show })
    await clock.advance(1000)
    await watched
    expect(times).toBe(2)
    expect(told.mock.calls).toEqual([['plantroom: the device is offline']])
  })

  test('fails when the last time fails', async () => {
    const show = () => Promise.reject(new Error('the device is offline'))
    await expect(watch({ everySeconds: 1, count: 1, clock: createManualClock(), show })).rejects.toThrow('offline')
    expect(told).not.toHaveBeenCalled()
  })
})
