import type { Datapoint } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { aControlRig, type ControlRig } from '../testing/control-rig.ts'

/** Equipment whose points fall back to a value of their own when our value is withdrawn, as BACnet's do. */
async function aPriorityRig(value: number | string = 10, about: Partial<Datapoint> = {}) {
  const power = aDatapoint({ id: 'power', accessType: 'READ_WRITE', ...about })
  const rig = await aControlRig([power], { power: value })
  const { equipment } = rig
  const own = { value }
  const relinquished: string[] = []
  equipment.relinquish = async (id, { stillWanted = () => true } = {}) => {
    if (equipment.cut !== undefined) throw new Failure('offline', equipment.cut)
    if (!stillWanted()) throw new Failure('conflict', `${id}: no longer wanted`)
    relinquished.push(id)
    equipment.points.set(id, own.value)
    return true
  }
  return { ...rig, own, relinquished, written: () => equipment.writes.map(({ raw }) => raw) }
}

async function claim({ arbiter, settle }: ControlRig, by: 'peak-shaving' | 'deviation', value: number | undefined) {
  arbiter.claim('power', by, value === undefined ? undefined : { value })
  await settle()
}

test('releases a datapoint by withdrawing the value, not by writing the earlier one back', async () => {
  const rig = await aPriorityRig()
  await claim(rig, 'deviation', 40)
  // The building has moved on while we held the point: writing 10 back would override it for good.
  rig.own.value = 12
  await claim(rig, 'deviation', undefined)
  expect(rig.relinquished).toEqual(['power'])
  expect(rig.written()).toEqual([40])
  expect(rig.equipment.points.get('power')).toBe(12)
  expect(rig.entries().at(-1)).toMatchObject({ phase: 'released', valueBefore: 10, readBack: 12 })
  expect(rig.arbiter.isHeld('power')).toBe(false)
})

test('records what the equipment follows after the withdrawal, in engineering units', async () => {
  const scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 10 }
  const rig = await aPriorityRig(100, { scaler })
  await claim(rig, 'deviation', 4)
  const source = { name: 'priority 8 (the operator)', priority: 8, ours: 10, reading: { raw: 120 }, outranks: true }
  rig.equipment.inCharge = async () => source
  rig.own.value = 120
  await claim(rig, 'deviation', undefined)
  const inCharge = { priority: 8, value: 12, outranks: true }
  expect(rig.entries().at(-1)).toMatchObject({ phase: 'released', readBack: 12, inCharge })

  // It only explains: the release does not depend on it.
  await claim(rig, 'deviation', 4)
  rig.equipment.inCharge = () => Promise.reject(new Failure('offline', 'no answer'))
  await claim(rig, 'deviation', undefined)
  expect(rig.entries().at(-1)).toMatchObject({ phase: 'released', readBack: 12 })
  expect(rig.entries().at(-1)).not.toHaveProperty('inCharge')
})

test('retries a release that could not be sent until the equipment confirms it', async () => {
  const rig = await aPriorityRig()
  await claim(rig, 'deviation', 40)
  rig.equipment.cut = 'cable pulled'
  await claim(rig, 'deviation', undefined)
  await rig.clock.advance(60_000)
  expect(rig.arbiter.isHeld('power')).toBe(true)
  rig.equipment.cut = undefined
  await rig.clock.advance(10_000)
  await rig.settle()
  expect(rig.equipment.points.get('power')).toBe(10)
  expect(rig.written()).toEqual([40])
  expect(rig.arbiter.isHeld('power')).toBe(false)
})

test('writes the earlier value back where the point has nothing to withdraw', async () => {
  const rig = await aPriorityRig()
  rig.equipment.relinquish = async () => false
  await claim(rig, 'deviation', 40)
  await claim(rig, 'deviation', undefined)
  expect(rig.written()).toEqual([40, 10])
})

test('is not over before the point can be read', async () => {
  const rig = await aPriorityRig()
  await claim(rig, 'deviation', 40)
  rig.equipment.unreadable.set('power', 'exception 4')
  await claim(rig, 'deviation', undefined)
  expect(rig.arbiter.isHeld('power')).toBe(true)
  rig.equipment.unreadable.clear()
  await rig.clock.advance(1_000)
  expect(rig.arbiter.isHeld('power')).toBe(false)
  expect(rig.entries().at(-1)).toMatchObject({ phase: 'released', readBack: 10 })
})

test('does not take the value of the next source for a setpoint that came back', async () => {
  const rig = await aPriorityRig()
  await claim(rig, 'deviation', 40)
  rig.own.value = 40
  await claim(rig, 'deviation', undefined)
  await rig.clock.advance(120_000)
  expect(rig.relinquished).toEqual(['power'])
  expect(rig.entries().map(({ phase }) => phase)).toEqual(['applied', 'released'])
})

test('writes the value of the next writer instead of withdrawing in between', async () => {
  const rig = await aPriorityRig()
  await claim(rig, 'deviation', 20)
  await claim(rig, 'peak-shaving', 30)
  await claim(rig, 'peak-shaving', undefined)
  expect(rig.written()).toEqual([20, 30, 20])
  expect(rig.relinquished).toEqual([])
})

test('withdraws the value before when the equipment refuses that of the next writer', async () => {
  const rig = await aPriorityRig()
  await claim(rig, 'peak-shaving', 30)
  rig.equipment.beforeWrite = (_id, raw) => {
    if (raw === 20) throw new Failure('rejected', 'power: refused')
  }
  await claim(rig, 'deviation', 20)
  await claim(rig, 'peak-shaving', undefined)
  expect(rig.relinquished).toEqual(['power'])
  expect(rig.equipment.points.get('power')).toBe(10)
  expect(rig.arbiter.isHeld('power')).toBe(true)
})

test('does not withdraw the value of a writer that took the point meanwhile', async () => {
  const rig = await aPriorityRig()
  await claim(rig, 'deviation', 40)
  const { relinquish } = rig.equipment
  const slow = Promise.withResolvers<void>()
  rig.equipment.relinquish = async (id, options) => {
    await slow.promise
    return (await relinquish?.(id, options)) ?? false
  }
  await claim(rig, 'deviation', undefined)
  await claim(rig, 'peak-shaving', 30)
  slow.resolve()
  await rig.settle()
  await rig.clock.advance(1_000)
  expect(rig.relinquished).toEqual([])
  expect(rig.equipment.points.get('power')).toBe(30)
})

test('does not take a withdrawn setpoint for the value to restore', async () => {
  const rig = await aPriorityRig()
  await claim(rig, 'deviation', 40)
  rig.equipment.unreadable.set('power', 'exception 4')
  await claim(rig, 'deviation', undefined)
  rig.arbiter.claim('power', 'deviation', { offset: 5 })
  await rig.settle()
  expect(rig.written()).toEqual([40, 15])
})

describe('equipment that confirms the withdrawal and keeps our value', () => {
  const refuse = async (): Promise<never> => {
    throw new Failure('rejected', 'power: accepted NULL, but its value is still there')
  }

  test('is not restored, and the earlier value is not written over it', async () => {
    const rig = await aPriorityRig()
    await claim(rig, 'deviation', 40)
    rig.equipment.relinquish = refuse
    await claim(rig, 'deviation', undefined)
    await rig.clock.advance(120_000)
    expect(rig.written()).toEqual([40])
    expect(rig.arbiter.isHeld('power')).toBe(true)
    expect(rig.entries().map(({ phase }) => phase)).not.toContain('released')
  })

  test('gets its releaseValue', async () => {
    const rig = await aPriorityRig(10, { releaseValue: 15 })
    await claim(rig, 'deviation', 40)
    rig.equipment.relinquish = refuse
    await claim(rig, 'deviation', undefined)
    expect(rig.written()).toEqual([40, 15])
    expect(rig.entries().at(-1)).toMatchObject({ phase: 'released', readBack: 15 })
    expect(rig.arbiter.isHeld('power')).toBe(false)
  })
})
