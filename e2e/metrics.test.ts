import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type Stack, startStack } from './support/stack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await startStack({ edge: async () => ({ PLANTROOM_METRICS_PORT: '0' }) })
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const address = () => {
  const { metrics } = stack.edge.ready as unknown as { metrics: { host: string; port: number } }
  return `http://${metrics.host}:${metrics.port}`
}

/** Returns the value of a series for the connection of this name. */
async function figure(name: string, connection?: string): Promise<number | undefined> {
  const text = await (await fetch(`${address()}/metrics`)).text()
  const line = text
    .split('\n')
    .find((each) => each.startsWith(`plantroom_edge_${name}`) && (!connection || each.includes(`name="${connection}"`)))
  return line === undefined ? undefined : Number(line.split(' ').at(-1))
}

describe('the metrics of a controller', () => {
  test('count readings and holds', async () => {
    expect((await fetch(`${address()}/healthz`)).status).toBe(200)
    await eventually(async () => expect(await figure('connection_status', 'Inverter')).toBe(1))
    const before = (await figure('reads_total', 'Inverter')) ?? 0
    expect(before).toBeGreaterThan(0)
    await eventually(async () => expect(await figure('reads_total', 'Inverter')).toBeGreaterThan(before))
    expect(await figure('windows_held')).toBe(0)
    const now = Date.now()
    const setpoint = { datapointId: stack.datapointId('Charge power'), value: -20, from: now, to: now + 600_000 }
    await stack.partner.override(setpoint)
    await eventually(async () => expect(await figure('writes_total', 'Inverter')).toBeGreaterThan(0))
    expect(await figure('windows_held')).toBe(1)
    expect(await figure('datapoints_held')).toBe(1)
    expect(await figure('journal_flushes_total')).toBeGreaterThan(0)
    expect(await figure('clock_suspect')).toBe(0)
    await eventually(async () => expect(await figure('unsent_reports')).toBe(0))
  })

  test('show that equipment disconnected and reconnected', async () => {
    await stack.simulator.kill()
    await eventually(async () => expect(await figure('connection_status', 'Inverter')).toBe(-1))
    await stack.simulator.start()
    await eventually(async () => expect(await figure('reconnects_total', 'Inverter')).toBeGreaterThan(0))
    expect(await figure('connection_status', 'Inverter')).toBe(1)
  })
})
