import { ApiError } from '@plantroom/client/http'
import { expect, test } from 'vitest'
import type { ControllerPlan } from './plan.ts'
import { type ControllerProgress, remaining, runRelease } from './run.ts'

const aPlan = (deviceId: string, datapoints: Record<string, string[]>): ControllerPlan => ({
  deviceId,
  name: deviceId,
  leftOut: 0,
  releases: Object.entries(datapoints).map(([datapointId, overrideIds]) => ({
    ...{ datapointId, name: datapointId, unit: undefined, value: 1, overrideIds },
  })),
})

async function run(plans: readonly ControllerPlan[], cancel: (deviceId: string, id: string) => Promise<void>) {
  const latest = new Map<string, ControllerProgress>()
  const cancelled: string[] = []
  await runRelease(
    plans,
    async (deviceId, id) => {
      await cancel(deviceId, id)
      cancelled.push(id)
    },
    (progress) => void latest.set(progress.plan.deviceId, progress),
  )
  return { cancelled, latest, outcomes: [...latest.values()] }
}

test('releases everything, datapoint by datapoint in the planned order', async () => {
  const { cancelled, latest } = await run([aPlan('one', { a: ['a2', 'a1'], b: ['b1'] })], async () => {})
  expect(cancelled).toEqual(['a2', 'a1', 'b1'])
  expect(latest.get('one')).toMatchObject({ done: 2, failed: [], isOver: true })
})

test('goes on after a refusal, and names what was refused', async () => {
  const { cancelled, outcomes } = await run([aPlan('one', { a: ['a1'], b: ['b1'] })], async (_, id) => {
    if (id === 'a1') throw new ApiError(499, {})
  })
  expect(cancelled).toEqual(['b1'])
  expect(outcomes).toMatchObject([{ done: 1, failed: [{ release: { datapointId: 'a' } }], isOver: true }])
})

test('names everything on a controller that stops to answer, asks it once, and releases the others', async () => {
  let asked = 0
  const plans = [aPlan('dead', { a: ['a1'], b: ['b1'] }), ...['x', 'y', 'z'].map((id) => aPlan(id, { [id]: [id] }))]
  const { cancelled, outcomes } = await run(plans, async (deviceId) => {
    if (deviceId !== 'dead') return
    asked += 1
    throw new ApiError(502, {})
  })
  expect([asked, cancelled.toSorted()]).toEqual([1, ['x', 'y', 'z']])
  expect(remaining(outcomes)).toEqual([plans[0]])
})
