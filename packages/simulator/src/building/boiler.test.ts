import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advanceBoiler, BOILER, type Boiler, newBoiler, takenKw } from './boiler.ts'

function after(boiler: Boiler, seconds: number): Boiler {
  let result = boiler
  for (let time = 1; time <= seconds; time += 1) result = advanceBoiler(result, { seconds: 1, time })
  return result
}

describe('a boiler', () => {
  test('keeps its water between the setpoint and its hysteresis below it', () => {
    let boiler = newBoiler
    let switches = 0
    for (let time = 1; time <= 7200; time += 1) {
      const next = advanceBoiler(boiler, { seconds: 1, time })
      if (next.powerKw !== boiler.powerKw) switches += 1
      expect([0, BOILER.ratedKw]).toContain(next.powerKw)
      expect(next.waterC).toBeLessThan(BOILER.minSetpointC + 20.1)
      expect(next.waterC).toBeGreaterThan(newBoiler.setpointC - BOILER.hysteresisK - 0.1)
      boiler = next
    }
    expect(switches).toBeGreaterThan(10)
    expect(switches).toBeLessThan(60)
  })

  test('cools down while its relay is off, and no further than to the room', () => {
    const off = after({ ...newBoiler, enabled: false }, 600)
    expect(off).toMatchObject({ powerKw: 0, isHeating: true })
    expect(off.waterC).toBeLessThan(newBoiler.setpointC - 2 * BOILER.hysteresisK)
    expect(after(off, 86_400).waterC).toBeGreaterThanOrEqual(BOILER.roomC - 0.1)
    expect(after({ ...off, enabled: true }, 1).powerKw).toBe(BOILER.ratedKw)
  })
})

test('a boiler stores what it draws and nobody takes', () => {
  const anyBoiler = fc.record<Boiler>({
    enabled: fc.boolean(),
    setpointC: fc.integer({ min: BOILER.minSetpointC, max: BOILER.maxSetpointC }),
    waterC: fc.integer({ min: 5, max: 80 }),
    isHeating: fc.boolean(),
    powerKw: fc.constantFrom(0, BOILER.ratedKw),
  })
  fc.assert(
    fc.property(
      anyBoiler,
      fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { maxLength: 30 }),
      (start, steps) => {
        let [boiler, time, kWh] = [start, 0, 0]
        for (const seconds of steps) {
          time += seconds
          const taken = takenKw(boiler.waterC, time)
          boiler = advanceBoiler(boiler, { seconds, time })
          kWh += ((boiler.powerKw - taken) * seconds) / 3600
        }
        expect(BOILER.waterKwhPerK * (boiler.waterC - start.waterC)).toBeCloseTo(kWh, 9)
      },
    ),
  )
})
