import type { MeasurementPage } from '@plantroom/contract/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { batteryRoom, withDatapoints } from './support/building.ts'
import { eventually } from './support/eventually.ts'
import { type Stack, startStack } from './support/stack.ts'

const ARCHIVED = 'Grid voltage'

let stack: Stack

beforeAll(async () => {
  stack = await startStack()
  const room = batteryRoom(stack.simulator.ready.modbus.port)
  const everySecond = withDatapoints(room, 'Grid meter', (datapoints) =>
    datapoints.map((datapoint) => ({ ...datapoint, analyticsInterval: datapoint.name === ARCHIVED ? 1 : 0 })),
  )
  await stack.commission(everySecond)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

/** Fetches the history of a datapoint as a partner does. */
async function history(name: string): Promise<MeasurementPage> {
  const { baseUrl } = stack.cloud.ready
  const path = `/api/orgs/${stack.orgId}/devices/${stack.deviceId}/datapoints/${stack.datapointId(name)}/measurements`
  const response = await fetch(`${baseUrl}${path}`, { headers: { 'X-Api-Key': stack.apiKey } })
  expect(response.status).toBe(200)
  return (await response.json()) as MeasurementPage
}

/** Returns the times of all measurements once there is one at `until` or later. */
function timesUntil(until: number): Promise<number[]> {
  return eventually(async () => {
    const times = (await history(ARCHIVED)).measurements.map(({ at }) => Date.parse(at))
    expect(times.at(-1) ?? 0).toBeGreaterThanOrEqual(until)
    return times
  })
}

const everySecondFrom = (first: number | undefined, count: number) =>
  Array.from({ length: count }, (_, index) => (first ?? 0) + index * 1000)

describe('the measurements of a datapoint', () => {
  test('arrive in the cloud once each, at whole seconds; other datapoints have none', async () => {
    const times = await timesUntil(Date.now() + 3_000)
    expect(times).toEqual(everySecondFrom(times[0], times.length))
    expect((times[0] ?? 1) % 1000).toBe(0)
    const { measurements, gaps } = await history(ARCHIVED)
    for (const { value } of measurements) expect(value).toBeCloseTo(230, -1)
    expect(gaps).toEqual([])
    expect((await history('Grid power')).measurements).toEqual([])
  })

  test('have no gap after the cloud was down: they are sent in order afterwards and stored once', async () => {
    await stack.cloud.stop()
    const stoppedAt = Date.now()
    await eventually(() => expect(Date.now()).toBeGreaterThan(stoppedAt + 4_000))
    await stack.cloud.start()
    const times = await timesUntil(Date.now() + 2_000)
    expect(times).toEqual(everySecondFrom(times[0], times.length))
    expect(times.filter((at) => at > stoppedAt && at < stoppedAt + 4_000)).toHaveLength(4)
  })

  test('survive a killed cloud; a stopped controller leaves a gap for its downtime only', async () => {
    await stack.cloud.kill()
    const askedToStopAt = Date.now()
    await stack.edge.stop()
    const stoppedAt = Date.now()
    await eventually(() => expect(Date.now()).toBeGreaterThan(stoppedAt + 2_000))
    await stack.edge.start()
    const startedAt = Date.now()
    await stack.cloud.start()
    const times = await timesUntil(Date.now() + 2_000)
    const before = times.filter((at) => at <= stoppedAt)
    const after = times.filter((at) => at > startedAt)
    expect(times).toEqual([...before, ...after])
    expect(before).toEqual(everySecondFrom(before[0], before.length))
    expect(after).toEqual(everySecondFrom(after[0], after.length))
    expect(before.at(-1)).toBeGreaterThan(askedToStopAt - 2_000)
  })
})
