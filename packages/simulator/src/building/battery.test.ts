import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advanceBattery, BATTERY, type Battery, chargePercent, newBattery, rebooted } from './battery.ts'

const idle: Battery = { ...newBattery, setpointKw: 0 }

function after(battery: Battery, seconds: number): Battery {
  let result = battery
  for (let second = 0; second < seconds; second += 1) result = advanceBattery(result, 1)
  return result
}

describe('the power of a battery', () => {
  test('ramps to its setpoint and stays there', () => {
    const asked = { ...idle, setpointKw: 25 }
    expect([1, 2, 3, 10].map((seconds) => after(asked, seconds).powerKw)).toEqual([10, 20, 25, 25])
  })

  test('ramps down through zero to discharge', () => {
    expect(after({ ...idle, powerKw: 5, setpointKw: -30 }, 2).powerKw).toBe(-15)
  })

  test('does not exceed its rating, whatever the setpoint', () => {
    expect(after({ ...idle, setpointKw: 3000 }, 60).powerKw).toBe(50)
    expect(after({ ...idle, setpointKw: -3000 }, 60).powerKw).toBe(-50)
  })

  test('does not exceed the charge limit, which does not affect discharging', () => {
    expect(after({ ...idle, setpointKw: 40, chargeLimitKw: 7 }, 60).powerKw).toBe(7)
    expect(after({ ...idle, setpointKw: -40, chargeLimitKw: 7 }, 60).powerKw).toBe(-40)
  })

  test('drops to zero when it is disabled', () => {
    expect(after({ ...idle, setpointKw: 40, powerKw: 40, enabled: false }, 60).powerKw).toBe(0)
  })

  test('drops to zero when it is full', () => {
    const full = after({ ...idle, setpointKw: 50, storedKwh: 99.9 }, 60)
    expect(full.powerKw).toBeCloseTo(0, 9)
    expect(chargePercent(full)).toBeCloseTo(100, 9)
  })

  test('drops to zero at the reserve', () => {
    const spent = after({ ...idle, setpointKw: -50, storedKwh: 20.1, reservePercent: 20 }, 60)
    expect(spent.powerKw).toBeCloseTo(0, 9)
    expect(chargePercent(spent)).toBeCloseTo(20, 9)
  })
})

describe('a battery', () => {
  test('that refuses keeps its setpoint and stays at its power', () => {
    const asked = { ...idle, setpointKw: -40, powerKw: 20 }
    expect(advanceBattery(asked, 1, { refuses: 1 })).toMatchObject({ setpointKw: -40, powerKw: 20 })
  })

  test('warms up under load and cools down when idle', () => {
    const warm = after({ ...idle, setpointKw: 40 }, 600)
    expect(warm.temperatureC).toBeGreaterThan(BATTERY.ambientC + 5)
    expect(after({ ...warm, setpointKw: 0 }, 3600).temperatureC).toBeCloseTo(BATTERY.ambientC, 1)
  })

  test('loses its settings on a reboot, and nothing else', () => {
    const used = after({ ...idle, setpointKw: 40, chargeLimitKw: 20, reservePercent: 50 }, 60)
    const { enabled, setpointKw, chargeLimitKw, reservePercent } = newBattery
    expect(rebooted({ ...used, enabled: false })).toEqual({
      ...used,
      enabled,
      setpointKw,
      chargeLimitKw,
      reservePercent,
    })
  })

  const anyBattery = fc.record<Battery>({
    enabled: fc.boolean(),
    setpointKw: fc.integer({ min: -32_768, max: 32_767 }).map((raw) => raw / 10),
    chargeLimitKw: fc.integer({ min: 0, max: 500 }).map((raw) => raw / 10),
    reservePercent: fc.integer({ min: 0, max: 100 }),
    powerKw: fc.integer({ min: -50, max: 50 }),
    storedKwh: fc.double({ min: 0, max: BATTERY.capacityKwh, noNaN: true }),
    temperatureC: fc.integer({ min: -20, max: 60 }),
    throughputWh: fc.nat(),
  })
  const seconds = fc.double({ min: 0.01, max: 1, noNaN: true })

  test('stays between empty and full, and within its rating', () => {
    fc.assert(
      fc.property(anyBattery, fc.array(seconds, { maxLength: 30 }), (start, steps) => {
        let battery = start
        for (const step of steps) {
          battery = advanceBattery(battery, step)
          expect(chargePercent(battery)).toBeGreaterThanOrEqual(0)
          expect(chargePercent(battery)).toBeLessThanOrEqual(100)
          expect(Math.abs(battery.powerKw)).toBeLessThanOrEqual(BATTERY.ratedPowerKw)
        }
      }),
    )
  })

  test('conserves energy, apart from its losses', () => {
    fc.assert(
      fc.property(anyBattery, fc.array(seconds, { maxLength: 30 }), (start, steps) => {
        let battery = start
        let inKwh = 0
        let outKwh = 0
        for (const step of steps) {
          battery = advanceBattery(battery, step)
          const energy = (battery.powerKw * step) / 3600
          if (energy > 0) inKwh += energy
          else outKwh -= energy
        }
        const stored = battery.storedKwh - start.storedKwh
        expect(stored).toBeCloseTo(inKwh * BATTERY.efficiency - outKwh / BATTERY.efficiency, 9)
        expect(battery.throughputWh - start.throughputWh).toBeCloseTo((inKwh + outKwh) * 1000, 4)
      }),
    )
  })
})
