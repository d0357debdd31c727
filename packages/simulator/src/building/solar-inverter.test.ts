import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { startBuilding } from './live-building.ts'
import { SOLAR } from './solar.ts'
import { createSolarInverter } from './solar-inverter.ts'

/** Registers of a device with models 1 (66 registers) and 103 (50), by the standard. */
const W = 40_000 + 2 + 68 + 14
const CONTROLS = 40_000 + 2 + 68 + 52
const LIMIT = CONTROLS + 5
const REVERT_SECONDS = CONTROLS + 7
const ENABLE = CONTROLS + 9

function startInverter() {
  const clock = createManualClock()
  const building = startBuilding({ clock, seed: 1 })
  const { unit } = createSolarInverter(building, clock)
  return {
    clock,
    building,
    write: (register: number, value: number) => unit.writeRegisters(register, [value]),
    read: (register: number, count = 1) => unit.readRegisters('holding', register, count),
  }
}
const NOON_SECONDS = SOLAR.daySeconds / 4

test('shows what the panels generate, where SunSpec has it', async () => {
  const { clock, building, read } = startInverter()
  await clock.advance(NOON_SECONDS * 1000)
  expect(read(40_000, 4)).toEqual([0x5375, 0x6e53, 1, 66])
  expect(read(CONTROLS - 52, 2)).toEqual([103, 50])
  expect(read(W)).toEqual([Math.round(building.now().solar.powerKw * 1000)])
  expect(building.now().solar.powerKw).toBeGreaterThan(0.5)
  expect(read(CONTROLS, 2)).toEqual([123, 24])
})

test('keeps a limit while it is enabled, and drops it when nobody renews it', async () => {
  const { clock, building, write, read } = startInverter()
  await clock.advance(NOON_SECONDS * 1000)
  write(LIMIT, 500)
  await clock.advance(60_000)
  expect(building.now().solar.limitPercent).toBe(100)
  write(ENABLE, 1)
  write(REVERT_SECONDS, 120)
  await clock.advance(100_000)
  expect(building.now().solar.powerKw).toBeLessThanOrEqual(SOLAR.peakKw * 0.0501)
  write(REVERT_SECONDS, 120)
  await clock.advance(119_000)
  expect(read(ENABLE)).toEqual([1])
  await clock.advance(2_000)
  expect([read(LIMIT), read(ENABLE), read(REVERT_SECONDS)]).toEqual([[10_000], [0], [0]])
  expect(building.now().solar.limitPercent).toBe(100)
})

test('refuses what cannot be written', () => {
  const { write } = startInverter()
  expect([write(W, 1), write(CONTROLS + 4, 1), write(50_000, 1)]).toEqual([
    'noSuchAddress',
    'noSuchAddress',
    'noSuchAddress',
  ])
})
