import { expect, test } from 'vitest'
import { createServiceClock } from './service-clock.ts'

const NOON = Date.parse('2030-01-01T12:00:00Z')
const HOUR = 3_600_000
const date = (ms: number) => new Date(ms).toUTCString()

test('follows the service, however wrong the clock of the browser is', () => {
  let browser = NOON + 2 * HOUR
  const clock = createServiceClock(() => browser)
  expect(clock.now()).toBe(NOON + 2 * HOUR)
  clock.hear(date(NOON))
  expect(clock.now()).toBe(NOON)
  browser += 1500
  expect(clock.now()).toBe(NOON + 1500)
})

test('relies on the reply that came closest to its second, and is never ahead of the service', () => {
  let browser = 0
  const clock = createServiceClock(() => browser)
  const replyAt = (service: number, takes: number) => {
    browser = service - NOON + takes
    clock.hear(date(service))
    return clock.now() - (service + takes)
  }
  expect(replyAt(NOON + 900, 200)).toBe(-1100)
  expect(replyAt(NOON + 2010, 20)).toBe(-30)
  expect(replyAt(NOON + 3900, 400)).toBe(-30)
})

test('notices that somebody set the clock of the browser', () => {
  let browser = NOON
  const clock = createServiceClock(() => browser)
  clock.hear(date(NOON))
  browser = NOON + HOUR
  clock.hear(date(NOON))
  expect(clock.now()).toBe(NOON)
  browser = NOON - HOUR
  clock.hear(date(NOON))
  expect(clock.now()).toBe(NOON)
})

test('ignores replies without a time', () => {
  const clock = createServiceClock(() => NOON)
  clock.hear(null)
  clock.hear('soon')
  expect(clock.now()).toBe(NOON)
})
