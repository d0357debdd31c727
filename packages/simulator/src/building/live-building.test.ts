import type { Clock } from '@plantroom/base/clock'
import { expect, test } from 'vitest'
import { advance, newBuilding } from './building.ts'
import { startBuilding } from './live-building.ts'

test('a building follows the clock in steps of a quarter of a second', () => {
  let time = 1000
  let tick: (() => void) | undefined
  const clock: Clock = {
    now: () => time,
    monotonic: () => time,
    after(_ms, action) {
      tick = action
      return () => {
        tick = undefined
      }
    },
  }
  const live = startBuilding({ clock, seed: 3 })
  time += 250
  tick?.()
  expect(live.now()).toEqual(advance(newBuilding(3), 0.25))

  time += 749
  tick?.()
  expect(live.now().time).toBe(0.75)
  time += 1
  tick?.()
  expect(live.now().time).toBe(1)

  live.stop()
  expect(tick).toBeUndefined()
})
