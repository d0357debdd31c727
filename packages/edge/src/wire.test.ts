import { topics } from '@plantroom/contract/topics'
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
  ...about,
})

describe('the edge program', () => {
  test('runs without a broker, and ends, also when it is told twice', async () => {
    const settings = config({})
    const running = await startEdge(settings)
    expect(running.ready).toEqual({ deviceId: 'dev_1' })
    await Promise.all([running.stop(), running.stop()])
    await running.stop()
    if (canListOpenFiles) expect(openFilesIn(settings.folder)).toEqual([])
  })

  test('says goodbye before it ends', async () => {
    const broker = await startBroker()
    const running = await startEdge(config({ mqttUrl: broker.url }))
    const status = topics.status('dev_1')
    await broker.hears(({ topic, text }) => topic === status && text.includes('true'))
    await running.stop()
    await broker.hears(({ topic, text }) => topic === status && text.includes('false'))
  })

  test('leaves nothing open where it has no link to begin with', async () => {
    const settings = config({ mqttUrl: 'nonsense' })
    await expect(startEdge(settings)).rejects.toThrow()
    if (canListOpenFiles) expect(openFilesIn(settings.folder)).toEqual([])
  })
})
