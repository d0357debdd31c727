import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AIR_HANDLER, type AirHandler, advanceAirHandler, extractC, fanPowerKw, newAirHandler } from './air-handler.ts'

function after(unit: AirHandler, seconds: number, outdoorC = 5): AirHandler {
  let result = unit
  for (let second = 0; second < seconds; second += 1) result = advanceAirHandler(result, { seconds: 1, outdoorC })
  return result
}

describe('an air handling unit', () => {
  test('moves the supply air to its setpoint at its rate', () => {
    const asked = { ...newAirHandler, setpointC: 25 }
    expect(after(asked, AIR_HANDLER.supplySeconds).supplyC).toBeCloseTo(25 - 4 / Math.E, 6)
    expect(after(asked, 1200).supplyC).toBeCloseTo(25, 6)
  })

  test('warms the hall with the supply air, and the extract air follows the hall', () => {
    const warm = after({ ...newAirHandler, setpointC: 26 }, 3600)
    const cold = after({ ...newAirHandler, setpointC: 16 }, 3600)
    expect(warm.roomC).toBeGreaterThan(newAirHandler.roomC + 2)
    expect(cold.roomC).toBeLessThan(newAirHandler.roomC - 2)
    expect(extractC(warm) - extractC(cold)).toBeCloseTo(warm.roomC - cold.roomC, 9)
  })

  test('draws eight times the power at twice the speed', () => {
    expect(fanPowerKw(100)).toBe(AIR_HANDLER.ratedFanKw)
    expect(fanPowerKw(100)).toBeCloseTo(8 * fanPowerKw(50), 9)
    expect(after({ ...newAirHandler, fanPercent: 0 }, 1).fanKw).toBe(0)
  })

  test('moves no air when its fan is off', () => {
    const still = after({ ...newAirHandler, fanPercent: 0, setpointC: 30 }, 1800)
    expect(Math.abs(still.supplyC - still.roomC)).toBeLessThan(0.5)
    expect(still.roomC).toEqual(after({ ...newAirHandler, fanPercent: 0, setpointC: 14 }, 1800).roomC)
  })
})

const anyUnit = fc.record<AirHandler>({
  setpointC: fc.double({ min: AIR_HANDLER.minSetpointC, max: AIR_HANDLER.maxSetpointC, noNaN: true }),
  fanPercent: fc.integer({ min: 0, max: 100 }),
  supplyC: fc.integer({ min: 10, max: 35 }),
  roomC: fc.integer({ min: 5, max: 35 }),
  fanKw: fc.integer({ min: 0, max: 4 }),
})
const steps = fc.array(
  fc.record({
    seconds: fc.double({ min: 0.01, max: 1, noNaN: true }),
    outdoorC: fc.integer({ min: -10, max: 15 }),
  }),
  { maxLength: 30 },
)

test('it stays within its limits, and conserves the heat of the hall', () => {
  fc.assert(
    fc.property(anyUnit, steps, (start, all) => {
      let unit = start
      let inKwh = 0
      // The supply air follows them with a delay.
      const followed = [start.supplyC, start.setpointC, start.roomC]
      for (const { seconds, outdoorC } of all) {
        const byAirKw = AIR_HANDLER.airKwPerK * (unit.fanPercent / 100) * (unit.supplyC - unit.roomC)
        const outsideKw = AIR_HANDLER.wallKwPerK * (unit.roomC - outdoorC)
        inKwh += ((byAirKw + AIR_HANDLER.gainsKw - outsideKw) * seconds) / 3600
        unit = advanceAirHandler(unit, { seconds, outdoorC })
        expect(unit.fanKw).toBeLessThanOrEqual(AIR_HANDLER.ratedFanKw)
        followed.push(unit.roomC)
        expect(unit.supplyC).toBeLessThanOrEqual(Math.max(...followed) + 1e-9)
        expect(unit.supplyC).toBeGreaterThanOrEqual(Math.min(...followed) - 1e-9)
      }
      expect(AIR_HANDLER.roomKwhPerK * (unit.roomC - start.roomC)).toBeCloseTo(inKwh, 9)
    }),
  )
})
