import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { pauseProcess } from '@plantroom/testkit/pause-process'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { every, sleep, systemClock, within } from './clock.ts'

const immediates = () => new Promise((resolve) => setImmediate(resolve))

describe('every', () => {
  test('runs its action after one interval, then once per interval', async () => {
    const clock = createManualClock(0)
    const times: number[] = []
    every(clock, 100, () => times.push(clock.now()))
    await clock.advance(99)
    expect(times).toEqual([])
    await clock.advance(251)
    expect(times).toEqual([100, 200, 300])
  })

  test('stops on request and leaves no timer behind', async () => {
    const clock = createManualClock()
    const action = vi.fn()
    const end = every(clock, 100, action)
    await clock.advance(100)
    end()
    expect(clock.waiting()).toEqual([])
    await clock.advance(1000)
    expect(action).toHaveBeenCalledTimes(1)
  })

  test('can be stopped by its own action', async () => {
    const clock = createManualClock()
    let count = 0
    const end = every(clock, 100, () => {
      count += 1
      if (count === 2) end()
    })
    await clock.advance(1000)
    expect(count).toBe(2)
  })

  test('continues after an action that throws', async () => {
    const clock = createManualClock()
    const action = vi.fn(() => {
      throw new Error('once more')
    })
    every(clock, 100, action)
    await expect(clock.advance(100)).rejects.toThrow('once more')
    await expect(clock.advance(100)).rejects.toThrow('once more')
    expect(action).toHaveBeenCalledTimes(2)
  })
})

describe('sleep', () => {
  test('resolves when the time has passed, even if the wall clock is changed', async () => {
    const clock = createManualClock()
    let awake = false
    const slept = sleep(clock, 1000).then(() => {
      awake = true
    })
    clock.step(60_000)
    await clock.advance(999)
    expect(awake).toBe(false)
    await clock.advance(1)
    expect(awake).toBe(true)
    await slept
  })

  test('resolves immediately when it is aborted, and leaves no timer behind', async () => {
    const clock = createManualClock()
    const calledOff = new AbortController()
    const slept = sleep(clock, 1000, calledOff.signal)
    calledOff.abort()
    await slept
    expect(clock.waiting()).toEqual([])
  })

  test('sets no timer if it is already aborted', async () => {
    const clock = createManualClock()
    await sleep(clock, 1000, AbortSignal.abort())
    expect(clock.waiting()).toEqual([])
  })

  test('leaves no listener on a signal that outlives it', async () => {
    const clock = createManualClock()
    const { signal } = new AbortController()
    const removed = vi.spyOn(signal, 'removeEventListener')
    const slept = sleep(clock, 1000, signal)
    await clock.advance(1000)
    await slept
    expect(removed).toHaveBeenCalledTimes(1)
  })
})

describe('the system clock', () => {
  afterEach(() => void vi.useRealTimers())

  test('runs an action once, unless it is cancelled', async () => {
    const calledOff = vi.fn()
    systemClock.after(0, calledOff)()
    await new Promise<void>((resolve) => systemClock.after(1, resolve))
    expect(calledOff).not.toHaveBeenCalled()
  })

  test('handles what arrived during a pause of the process before it runs an action that is late', async () => {
    const echo = spawn('cat')
    onTestFinished(() => void echo.kill())
    const answer = () => once(echo.stdout, 'data')
    echo.stdin.write('ready?')
    await answer()

    const events: string[] = []
    echo.stdin.write('still there?')
    const answered = answer().then(() => events.push('answer'))
    const late = new Promise<void>((resolve) => systemClock.after(100, resolve)).then(() => events.push('timeout'))
    pauseProcess(1000)
    await Promise.all([answered, late])
    expect(events).toEqual(['answer', 'timeout'])
  })

  test('can cancel an action that is due', async () => {
    const action = vi.fn()
    const callOff = systemClock.after(1, action)
    const cancelled = new Promise<void>((resolve) => {
      setTimeout(() => {
        callOff()
        resolve()
      }, 1)
    })
    pauseProcess(10)
    await cancelled
    await new Promise<void>((resolve) => systemClock.after(1, resolve))
    expect(action).not.toHaveBeenCalled()
  })

  describe('with more than the 24 days of a Node timer', () => {
    const longestMs = 2 ** 31 - 1
    const action = vi.fn()

    async function waitAlmost30Days(): Promise<() => void> {
      action.mockClear()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const thirtyDays = 30 * 86_400_000
      const callOff = systemClock.after(thirtyDays, action)
      vi.advanceTimersByTime(longestMs)
      await immediates()
      vi.advanceTimersByTime(thirtyDays - longestMs - 1)
      await immediates()
      expect(action).not.toHaveBeenCalled()
      return callOff
    }

    test('runs the action at its time', async () => {
      await waitAlmost30Days()
      vi.advanceTimersByTime(1)
      await immediates()
      expect(action).toHaveBeenCalledTimes(1)
    })

    test('can cancel the action in the later part', async () => {
      const callOff = await waitAlmost30Days()
      callOff()
      vi.advanceTimersByTime(1)
      await immediates()
      expect(action).not.toHaveBeenCalled()
    })
  })
})

describe('within', () => {
  test('resolves as soon as the promise does, and leaves no timer behind', async () => {
    const clock = createManualClock()
    await within(clock, 1000, Promise.resolve())
    expect(clock.waiting()).toEqual([])
  })

  test('stops waiting when the time has passed', async () => {
    const clock = createManualClock()
    let waited = false
    const waiting = within(clock, 1000, new Promise(() => {})).then(() => {
      waited = true
    })
    await clock.advance(999)
    expect(waited).toBe(false)
    await clock.advance(1)
    await waiting
  })

  test('rejects when the promise does', async () => {
    const clock = createManualClock()
    await expect(within(clock, 1000, Promise.reject(new Error('no link')))).rejects.toThrow('no link')
    expect(clock.waiting()).toEqual([])
  })
})
