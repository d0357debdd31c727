import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advanceHeatPump, coefficientOfPerformance, HEAT_PUMP, type HeatPump, newHeatPump } from './heat-pump.ts'

const OUTDOOR_C = 5

function after(pump: HeatPump, seconds: number, outdoorC = OUTDOOR_C): HeatPump {
  let result = pump
  for (let second = 0; second < seconds; second += 1) result = advanceHeatPump(result, { seconds: 1, outdoorC })
  return result
}

describe('the flow temperature of a heat pump', () => {
  test('approaches its setpoint at its rate, and reaches it eventually', () => {
    const asked = { ...newHeatPump, setpointC: 37 }
    const { flowC } = after(asked, HEAT_PUMP.flowSeconds)
    expect(flowC).toBeGreaterThan(36.2)
    expect(flowC).toBeLessThan(36.4)
    expect(after(asked, 1800).flowC).toBeCloseTo(37, 3)
  })

  test('falls no faster than the room absorbs the heat', () => {
    const cooling = after({ ...newHeatPump, setpointC: 20 }, 10)
    expect(cooling.heatKw).toBe(0)
    expect(cooling.powerKw).toBe(0)
    expect(cooling.flowC).toBeGreaterThan(34)
    expect(cooling.flowC).toBeLessThan(35)
  })

  test('does not reach its setpoint with too little power', () => {
    const limited = after({ ...newHeatPump, setpointC: 55, powerLimitKw: 2 }, 3600)
    expect(limited.powerKw).toBeCloseTo(2, 9)
    expect(limited.flowC).toBeLessThan(40)
  })

  test('falls to the room temperature when it is off', () => {
    const off = after({ ...newHeatPump, enabled: false }, 3600)
    expect(off.powerKw).toBe(0)
    expect(off.flowC - off.roomC).toBeLessThan(1)
  })
})

describe('the compressor of a heat pump', () => {
  const isOff = { ...newHeatPump, enabled: false }

  test('stops at a command, and stands still for its minimum time before it starts again', () => {
    const stopped = after(isOff, 1)
    expect(stopped).toMatchObject({ powerKw: 0, isRunning: false })
    const asked = { ...stopped, enabled: true }
    expect(after(asked, HEAT_PUMP.minOffSeconds).powerKw).toBe(0)
    expect(after(asked, HEAT_PUMP.minOffSeconds + 1).powerKw).toBeGreaterThan(0)
  })

  test('that has just started runs for its minimum time at its lowest power, whatever the command', () => {
    const started = { ...isOff, isRunning: true, sinceSeconds: 0, powerLimitKw: 0 }
    expect(after(started, HEAT_PUMP.minOnSeconds).powerKw).toBeCloseTo(HEAT_PUMP.minPowerKw, 9)
    expect(after(started, HEAT_PUMP.minOnSeconds + 1).powerKw).toBe(0)
  })
})

describe('the power of a heat pump', () => {
  test('rises with the lift', () => {
    expect(coefficientOfPerformance(35, 5)).toBeCloseTo(4.62, 2)
    expect(coefficientOfPerformance(55, 5)).toBeCloseTo(2.95, 2)
    expect(coefficientOfPerformance(35, -5)).toBeCloseTo(3.47, 2)
    const [low, high] = [35, 50].map((setpointC) => after({ ...newHeatPump, setpointC }, 7200))
    expect(Number(high?.powerKw) / Number(high?.heatKw)).toBeGreaterThan(Number(low?.powerKw) / Number(low?.heatKw))
  })
})

test('the room follows the flow', () => {
  const warm = after({ ...newHeatPump, setpointC: 40 }, 7200)
  const cold = after({ ...newHeatPump, setpointC: 30 }, 7200)
  expect(warm.roomC).toBeGreaterThan(newHeatPump.roomC + 1)
  expect(cold.roomC).toBeLessThan(newHeatPump.roomC - 1)
})

const anyPump = fc.record<HeatPump>({
  enabled: fc.boolean(),
  setpointC: fc.double({ min: HEAT_PUMP.minSetpointC, max: HEAT_PUMP.maxSetpointC, noNaN: true }),
  powerLimitKw: fc.double({ min: 0, max: HEAT_PUMP.ratedPowerKw, noNaN: true }),
  flowC: fc.integer({ min: 5, max: 60 }),
  roomC: fc.integer({ min: 5, max: 35 }),
  powerKw: fc.integer({ min: 0, max: 10 }),
  heatKw: fc.integer({ min: 0, max: 30 }),
  isRunning: fc.boolean(),
  sinceSeconds: fc.integer({ min: 0, max: 200 }),
})
const steps = fc.array(
  fc.record({ seconds: fc.double({ min: 0.01, max: 1, noNaN: true }), outdoorC: fc.integer({ min: -10, max: 15 }) }),
  {
    maxLength: 30,
  },
)

test('a heat pump stays within its limits, whatever the commands', () => {
  fc.assert(
    fc.property(anyPump, steps, (start, all) => {
      let pump = start
      for (const step of all) {
        pump = advanceHeatPump(pump, step)
        expect(pump.powerKw).toBeGreaterThanOrEqual(0)
        expect(pump.powerKw).toBeLessThanOrEqual(Math.max(start.powerLimitKw, HEAT_PUMP.minPowerKw) + 1e-9)
        expect(pump.heatKw).toBeLessThanOrEqual(HEAT_PUMP.ratedHeatKw)
        // A compressor that runs for its minimum time heats the water by another two kelvin at most.
        expect(pump.flowC).toBeLessThanOrEqual(Math.max(start.setpointC, start.flowC, start.roomC) + 2)
        expect(pump.flowC).toBeGreaterThanOrEqual(Math.min(start.flowC, start.roomC, -10))
        expect(pump.roomC).toBeLessThanOrEqual(Math.max(start.roomC, 60))
      }
    }),
  )
})

test('a heat pump conserves heat between water, room and outdoors', () => {
  fc.assert(
    fc.property(anyPump, steps, (start, all) => {
      let pump = start
      let madeKwh = 0
      let lostKwh = 0
      for (const step of all) {
        lostKwh += (HEAT_PUMP.wallKwPerK * (pump.roomC - step.outdoorC) * step.seconds) / 3600
        pump = advanceHeatPump(pump, step)
        madeKwh += (pump.heatKw * step.seconds) / 3600
      }
      const water = HEAT_PUMP.waterKwhPerK * (pump.flowC - start.flowC)
      const room = HEAT_PUMP.roomKwhPerK * (pump.roomC - start.roomC)
      expect(water + room + lostKwh).toBeCloseTo(madeKwh, 9)
    }),
  )
})
