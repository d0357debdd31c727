import { createLog } from '@plantroom/base/log'
import { type TechnicalSystem, WEEKDAYS } from '@plantroom/contract/datapoint'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { createOptimisation } from './optimisation.ts'
import { createMemoryMeter, createMemorySink } from './testing/memory-claims.ts'

const CYCLE = 10_000

/** A system with a load `<id>_load` to shed and a setpoint `<id>_setpoint` that is scheduled from noon on. */
function site(id: string): TechnicalSystem {
  const load = { datapointId: `${id}_load`, priority: 1, shedValue: 0, minOnSeconds: 0, minOffSeconds: 0 }
  const slot = { days: WEEKDAYS, from: '12:00', to: '24:00', mode: 'absolute', value: 18 } as const
  return {
    ...aSystem(id, []),
    peakShaving: { meterId: `${id}_meter`, limitKw: 100, hysteresisKw: 10, cycleSeconds: 10, loads: [load] },
    schedules: [{ id: `${id}_schedule`, name: 'Afternoon', datapointId: `${id}_setpoint`, slots: [slot] }],
  }
}

function device() {
  const clock = createManualClock(Date.parse('2025-01-08T12:00:00Z'))
  const sink = createMemorySink()
  const meter = createMemoryMeter({ value: 150, ageMs: 0 })
  const optimisation = createOptimisation({ sink, meter, clock, log: createLog('edge', 'silent') })
  const claimed = () =>
    ['x_load', 'x_setpoint', 'y_load', 'y_setpoint'].filter((id) => Object.keys(sink.claims(id)).length > 0)
  return { clock, sink, meter, optimisation, claimed }
}

describe('local optimisation', () => {
  test('runs peak shaving and schedules for every system, each with its own meter', async () => {
    const { clock, meter, optimisation, claimed } = device()
    optimisation.apply(site('x'))
    optimisation.apply(site('y'))
    expect(claimed()).toEqual(['x_setpoint', 'y_setpoint'])
    await clock.advance(CYCLE)
    expect(claimed()).toEqual(['x_load', 'x_setpoint', 'y_load', 'y_setpoint'])
    expect(meter.asked).toEqual(['x_meter', 'y_meter'])
  })

  test('evaluates the schedules synchronously on request', () => {
    const { clock, optimisation, claimed } = device()
    clock.step(-3_600_000)
    optimisation.apply(site('x'))
    expect(claimed()).toEqual([])
    clock.step(3_600_000)
    optimisation.evaluateNow()
    expect(claimed()).toEqual(['x_setpoint'])
  })

  test('continues without duplicates when a system is commissioned again', async () => {
    const { clock, meter, optimisation, claimed } = device()
    optimisation.apply(site('x'))
    await clock.advance(CYCLE)
    optimisation.apply({ ...site('x'), schedules: [] })
    expect(claimed()).toEqual(['x_load'])
    meter.asked.length = 0
    await clock.advance(CYCLE)
    expect(meter.asked).toEqual(['x_meter'])
  })

  test('releases everything of a removed system, and nothing of others', async () => {
    const { clock, optimisation, claimed } = device()
    optimisation.apply(site('x'))
    optimisation.apply(site('y'))
    await clock.advance(CYCLE)
    optimisation.remove('x')
    expect(claimed()).toEqual(['y_load', 'y_setpoint'])
    optimisation.remove('y')
    optimisation.remove('y')
    optimisation.remove('never there')
    expect(claimed()).toEqual([])
    expect(clock.waiting()).toEqual([])
  })

  test('keeps its claims when it is closed', async () => {
    const { clock, optimisation, claimed } = device()
    optimisation.apply(site('x'))
    await clock.advance(CYCLE)
    optimisation.close()
    expect(clock.waiting()).toEqual([])
    expect(claimed()).toEqual(['x_load', 'x_setpoint'])
  })
})
