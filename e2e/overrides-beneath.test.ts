import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { WEEKDAYS } from '@plantroom/contract/datapoint'
import type { ReportEntry } from '@plantroom/contract/reports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { batteryRoom } from './support/building.ts'
import { type Dispatcher, dispatcherOf } from './support/dispatcher.ts'
import { eventually } from './support/eventually.ts'
import { reportsOf } from './support/override-reports.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
const LIMIT = 'Charge power limit'
const RESERVE = 'Discharge reserve'

let stack: Stack
let dispatcher: Dispatcher

beforeAll(async () => {
  stack = await startStack()
  dispatcher = dispatcherOf(stack)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const commissionWith = (driven: Partial<CommissioningFile>) =>
  stack.commission({ ...batteryRoom(stack.simulator.ready.modbus.port), ...driven })

/** Summarizes the audit entries of a datapoint once there are as many as expected. */
function auditOf(datapointId: string, count: number): Promise<string[]> {
  const line = ({ code, phase, reason, valueBefore, value, readBack }: ReportEntry) =>
    `${code} ${phase} (${reason}) ${valueBefore} -> ${value}, reads ${readBack}`
  return eventually(async () => {
    const lines = (await reportsOf(stack, { datapointId })).map(line)
    expect(lines).toHaveLength(count)
    return lines
  })
}

describe('a schedule beneath an override', () => {
  const always = { days: WEEKDAYS, from: '00:00', to: '24:00', mode: 'absolute', value: 30 } as const

  test('is superseded during an override and resumes immediately afterwards', async () => {
    await commissionWith({ schedules: [{ name: 'All week', datapoint: RESERVE, slots: [always] }] })
    await dispatcher.registerBecomes(RESERVE, 30)
    const deviates = { locked: true, lockedBy: 'deviation', deviationActivated: true, deviationCachedValue: 10 }
    await eventually(async () => expect(await dispatcher.live(RESERVE)).toMatchObject({ value: 30, ...deviates }))

    const cancelled = await dispatcher.hold(RESERVE, 55, { to: HOUR })
    await dispatcher.registerBecomes(RESERVE, 55)
    await eventually(async () => {
      const { timestamp, ...shown } = await dispatcher.live(RESERVE)
      expect(shown).toEqual({ value: 55, locked: true, lockedBy: 'demand-response' })
    })
    await dispatcher.cancel(cancelled)
    await dispatcher.registerBecomes(RESERVE, 30)
    await eventually(async () => expect(await dispatcher.live(RESERVE)).toMatchObject({ value: 30, ...deviates }))

    await dispatcher.hold(RESERVE, 60, { to: 4_000 })
    await dispatcher.registerBecomes(RESERVE, 60)
    await dispatcher.registerBecomes(RESERVE, 30)

    await commissionWith({})
    await dispatcher.registerBecomes(RESERVE, 10)
    await eventually(async () => expect(await dispatcher.live(RESERVE)).not.toHaveProperty('locked'))
    expect(await auditOf(stack.datapointId(RESERVE), 10)).toEqual([
      '4001 applied (window) 10 -> 30, reads 30',
      '4001 released (superseded) 10 -> 55, reads 55',
      '4005 applied (window) 30 -> 55, reads 55',
      '4005 released (cancelled) 30 -> 30, reads 30',
      '4001 applied (window) 55 -> 30, reads 30',
      '4001 released (superseded) 55 -> 60, reads 60',
      '4005 applied (window) 30 -> 60, reads 60',
      '4005 released (ended) 30 -> 30, reads 30',
      '4001 applied (window) 60 -> 30, reads 30',
      '4001 released (ended) 60 -> 10, reads 10',
    ])
  })

  test('that starts during an override writes nothing and takes over after it', async () => {
    const id = await dispatcher.hold(RESERVE, 70, { to: HOUR })
    await dispatcher.registerBecomes(RESERVE, 70)
    await commissionWith({
      schedules: [{ name: 'All week', datapoint: RESERVE, slots: [{ ...always, mode: 'offset', value: 2.5 }] }],
    })
    expect(await dispatcher.register(RESERVE)).toBe(70)
    expect(await dispatcher.live(RESERVE)).toMatchObject({ lockedBy: 'demand-response' })
    await dispatcher.cancel(id)
    await dispatcher.registerBecomes(RESERVE, 12.5)
    await commissionWith({})
    await dispatcher.registerBecomes(RESERVE, 10)
  })
})

describe('peak shaving beneath an override', () => {
  const peakShaving = {
    meter: 'Grid power',
    // The building always consumes far more than that.
    limitKw: 20,
    cycleSeconds: 10,
    loads: [{ datapoint: LIMIT, priority: 1, shedValue: 3, minOnSeconds: 0, minOffSeconds: 0 }],
  }

  test('sheds the load, is superseded during an override and resumes after it', async () => {
    await commissionWith({ peakShaving })
    await dispatcher.registerBecomes(LIMIT, 3)
    await eventually(async () =>
      expect(await dispatcher.live(LIMIT)).toMatchObject({ value: 3, locked: true, lockedBy: 'peak-shaving' }),
    )

    const id = await dispatcher.hold(LIMIT, 45, { to: HOUR })
    await dispatcher.registerBecomes(LIMIT, 45)
    await eventually(async () => expect(await dispatcher.live(LIMIT)).toMatchObject({ lockedBy: 'demand-response' }))
    await dispatcher.cancel(id)
    await dispatcher.registerBecomes(LIMIT, 3)
    await eventually(async () => expect(await dispatcher.live(LIMIT)).toMatchObject({ lockedBy: 'peak-shaving' }))

    await commissionWith({ peakShaving: { ...peakShaving, limitKw: 500 } })
    await dispatcher.registerBecomes(LIMIT, 50)
    await eventually(async () => expect(await dispatcher.live(LIMIT)).not.toHaveProperty('locked'))
    expect(await auditOf(stack.datapointId(LIMIT), 6)).toEqual([
      '4000 applied (window) 50 -> 3, reads 3',
      '4000 released (superseded) 50 -> 45, reads 45',
      '4005 applied (window) 3 -> 45, reads 45',
      '4005 released (cancelled) 3 -> 3, reads 3',
      '4000 applied (window) 45 -> 3, reads 3',
      '4000 released (ended) 45 -> 50, reads 50',
    ])
    const [entry] = await reportsOf(stack, { code: '4000' })
    expect(entry).toMatchObject({ name: 'OPTIMIZATION_PEAK_SHAVING', overrideId: null, reqId: null })
  })
})
