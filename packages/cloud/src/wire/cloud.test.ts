import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startTestCloud } from '../testing/cloud.ts'

describe('a cloud that cannot start says why, in one line', () => {
  test('when there is no database at DATABASE_URL', async () => {
    const starting = startTestCloud({ databaseUrl: 'postgresql://somebody:secret@127.0.0.1:9/none' })
    await expect(starting).rejects.toThrow(/^the database at DATABASE_URL cannot be used: .*ECONNREFUSED/)
    await expect(starting).rejects.not.toThrow(/secret/)
  })

  test('when there is no broker at MQTT_URL', async () => {
    const starting = startTestCloud({ mqttUrl: 'mqtt://somebody:secret@127.0.0.1:9' })
    await expect(starting).rejects.toThrow(/^the broker at MQTT_URL \(127\.0\.0\.1:9\) cannot be used/)
    await expect(starting).rejects.not.toThrow(/secret/)
  })

  test.each([
    ['port', 'PLANTROOM_PORT'],
    ['mqttPort', 'PLANTROOM_MQTT_PORT'],
  ])('when its %s is taken', async (setting, name) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    try {
      await expect(startTestCloud({ [setting]: port })).rejects.toThrow(new RegExp(`port ${port} .* is taken.*${name}`))
    } finally {
      server.close()
    }
  })
})
