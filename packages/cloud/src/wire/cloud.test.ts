import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { readLocalService } from '@plantroom/base/local-service'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, startTestCloud } from '../testing/cloud.ts'

describe('a cloud that cannot start', () => {
  test('reports a missing database at DATABASE_URL', async () => {
    const starting = startTestCloud({ databaseUrl: 'postgresql://user:secret@127.0.0.1:9/none' })
    await expect(starting).rejects.toThrow(/^the database at DATABASE_URL cannot be used: .*ECONNREFUSED/)
    await expect(starting).rejects.not.toThrow(/secret/)
  })

  test('reports a missing broker at MQTT_URL', async () => {
    const starting = startTestCloud({ mqttUrl: 'mqtt://user:secret@127.0.0.1:9' })
    await expect(starting).rejects.toThrow(/^the broker at MQTT_URL \(127\.0\.0\.1:9\) cannot be used/)
    await expect(starting).rejects.not.toThrow(/secret/)
  })

  test.each([
    ['port', 'PLANTROOM_PORT'],
    ['mqttPort', 'PLANTROOM_MQTT_PORT'],
  ])('reports that its %s is taken', async (setting, name) => {
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

test('a cloud publishes its address to programs on its machine, and accepts their token as that of an operator', async () => {
  const cloud = await startTestCloud()
  onTestFinished(() => cloud.stop())
  const service = readLocalService(cloud.config.folder)
  expect(service).toMatchObject({ url: cloud.ready.baseUrl, certificate: null })
  expect(service?.token).not.toBe(cloud.ready.adminToken)
  const list = (token = '') => call(cloud, 'GET', '/api/orgs', { headers: { authorization: `Bearer ${token}` } })
  expect((await list(service?.token)).status).toBe(200)
  expect((await list(`${service?.token}x`)).status).toBe(401)
})

test('a cloud closes a connection that sends requests without waiting for answers, and counts it', async () => {
  const cloud = await startTestCloud()
  onTestFinished(() => cloud.stop())
  const { host, hostname, port } = new URL(cloud.ready.baseUrl)
  const socket = connect(Number(port), hostname)
  socket.resume().on('error', () => {})
  socket.write(`GET /readyz HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(1_000))
  await once(socket, 'close')
  const { body } = await call(cloud, 'GET', '/metrics')
  expect(body.text).toMatch(/plantroom_connections_refused_total\{server="http"\} 1\n/)
  expect(body.text).toMatch(/plantroom_connections_refused_total\{server="mqtt"\} 0\n/)
})
