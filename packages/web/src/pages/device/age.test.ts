import { describe, expect, test } from 'vitest'
import { ageWords, deviceNow } from './age.ts'
import { minutes, NOW } from './testing/examples.ts'

const fresh = { now: NOW, status: 1, isLost: false } as const
const ago = (ms: number) => new Date(NOW - ms).toISOString()

describe('the age of a value', () => {
  test('is told in words', () => {
    expect(ageWords(ago(0), fresh)).toEqual({ text: 'just now', isOld: false })
    expect(ageWords(ago(3000), fresh)).toEqual({ text: '3 s ago', isOld: false })
    expect(ageWords(ago(120_000), fresh)).toEqual({ text: '2 min ago', isOld: false })
  })

  test('is marked when the value is old', () => {
    expect(ageWords(ago(121_000), fresh)).toEqual({ text: 'Old: 2 min 01 s ago', isOld: true })
  })

  test.each([2, 0, -1, undefined] as const)('is that of the last known value at the status %s', (status) => {
    expect(ageWords(ago(3000), { ...fresh, status })).toEqual({ text: 'Last known, 3 s ago', isOld: true })
  })

  test('is that of the last known value when nothing is heard any more', () => {
    expect(ageWords(ago(3000), { ...fresh, isLost: true }).text).toBe('Last known, 3 s ago')
  })

  test('of a value ahead of the clock is none, and of no value is said', () => {
    expect(ageWords(ago(-5000), fresh).text).toBe('just now')
    expect(ageWords(undefined, fresh)).toEqual({ text: 'Not heard yet', isOld: true })
  })
})

describe('the clock of the device', () => {
  test('goes on from when it was heard, whatever the clock of whoever looks shows', () => {
    const wrong = Date.parse('2031-01-01T00:00:00Z')
    expect(deviceNow({ at: minutes(0) }, wrong, wrong + 1500)).toBe(NOW + 1500)
    expect(deviceNow({ at: minutes(0) }, wrong, wrong - 60_000)).toBe(NOW)
  })

  test('is that of whoever looks as long as nothing was heard', () => {
    expect(deviceNow(undefined, 0, NOW)).toBe(NOW)
  })
})
