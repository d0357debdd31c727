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

/** Less than the cloud is away. A controller on a busy machine may miss a reading, and then that second has no value. */
const LONGEST_PAUSE_MS = 3_000

/** Expects whole seconds in order, each once, and no pause. */
function expectSeconds(times: readonly number[]): void {
  expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
  expect(times.filter((at) => at % 1000 !== 0)).toEqual([])
  expect(times.filter((at, index) => at - (times[index - 1] ?? at) > LONGEST_PAUSE_MS)).toEqual([])
}

describe('the measurements of a datapoint', () => {
  test('arrive in the cloud once each, at whole seconds; other datapoints have none', async () => {
    const times = await timesUntil(Date.now() + 3_000)
    expectSeconds(times)
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
    expectSeconds(times)
    expect(times.filter((at) => at > stoppedAt && at < stoppedAt + 4_000).length).toBeGreaterThan(0)
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
    expectSeconds(before)
    expectSeconds(after)
    expect(before.at(-1)).toBeGreaterThan(askedToStopAt - 1_000 - LONGEST_PAUSE_MS)
  })
})
