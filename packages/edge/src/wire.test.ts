import { PROTOCOLS } from '@plantroom/contract/protocols'
import { topics } from '@plantroom/contract/topics'
import { createProtocols } from '@plantroom/drivers/protocols'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import type { EdgeConfig } from './config.ts'
import { startBroker } from './testing/broker.ts'
import { canListOpenFiles, openFilesIn } from './testing/open-files.ts'
import { startEdge } from './wire.ts'

const config = (about: Partial<EdgeConfig>): EdgeConfig => ({
  folder: temporaryFolder(),
  mqttUrl: 'mqtt://127.0.0.1:1',
  deviceId: 'dev_1',
  deviceSecret: 'hunter2',
  logLevel: 'silent',
  logStyle: { format: 'json', colours: false },
  metrics: undefined,
  quotas: { inAll: 10_000, perCaller: 1_000, daysAhead: 366 },
  ...about,
})

describe('the edge program', () => {
  test('runs without a broker, and stops, even when stopped twice', async () => {
    const settings = config({})
    const running = await startEdge(settings)
    expect(running.ready).toEqual({ deviceId: 'dev_1' })
    await Promise.all([running.stop(), running.stop()])
    await running.stop()
    if (canListOpenFiles) expect(openFilesIn(settings.folder)).toEqual([])
  })

  test('announces that it goes offline before it stops', async () => {
    const broker = await startBroker()
    const running = await startEdge(config({ mqttUrl: broker.url }))
    const status = topics.status('dev_1')
    await broker.hears(({ topic, text }) => topic === status && text.includes('true'))
    await running.stop()
    const { text, retain } = await broker.hears(({ topic, text }) => topic === status && text.includes('false'))
    expect([JSON.parse(text), retain]).toMatchObject([{ online: false }, true])
  })

  test('leaves nothing open when the link cannot be created', async () => {
    const settings = config({ mqttUrl: 'nonsense' })
    await expect(startEdge(settings)).rejects.toThrow()
    if (canListOpenFiles) expect(openFilesIn(settings.folder)).toEqual([])
  })

  test('serves its metrics at the configured address until it stops', async () => {
    const running = await startEdge(config({ metrics: { host: '127.0.0.1', port: 0 } }))
    const { metrics } = running.ready as { metrics: { host: string; port: number } }
    expect(metrics).toEqual({ host: '127.0.0.1', port: expect.any(Number) })
    const address = `http://127.0.0.1:${metrics.port}/metrics`
    // The start itself is saved first.
    expect(await (await fetch(address)).text()).toMatch(/^plantroom_edge_journal_flushes_total [1-9]\d*$/m)
    await running.stop()
    await expect(fetch(address)).rejects.toThrow()
  })

  test('runs without metrics when their port is taken', async () => {
    const first = await startEdge(config({ metrics: { host: '127.0.0.1', port: 0 } }))
    const { metrics } = first.ready as { metrics: { host: string; port: number } }
    const second = await startEdge(config({ metrics }))
    expect(second.ready).toEqual({ deviceId: 'dev_1' })
    await second.stop()
    await first.stop()
  })
})

describe('the protocols of a device', () => {
  test('cover everything that can be commissioned', () => {
    expect(Object.keys(createProtocols(createManualClock())).sort()).toEqual([...PROTOCOLS].sort())
  })
})
