import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listenOn } from './listen.ts'

const started: Server[] = []

afterEach(() => {
  for (const server of started.splice(0)) server.close()
})

async function start(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  started.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const options = { name: 'MQTT', setting: 'THE_PORT', host: '127.0.0.1', start }

test('uses the configured port, or fails', async () => {
  const port = await start(0)
  await expect(listenOn({ ...options, set: port, usual: 1 })).rejects.toThrow(
    `cannot listen for MQTT on 127.0.0.1:${port}: the port is taken; set THE_PORT to another one, or to 0 for any that is free`,
  )
  expect(await listenOn({ ...options, set: 0, usual: port })).not.toBe(port)
})

test('uses another port if the default one is in use', async () => {
  const usual = await start(0)
  expect(await listenOn({ ...options, set: undefined, usual })).not.toBe(usual)
  await new Promise((resolve) => started[0]?.close(resolve))
  expect(await listenOn({ ...options, set: undefined, usual })).toBe(usual)
})

test('passes other errors on', async () => {
  const failing = { ...options, start: () => Promise.reject(new Error('no such host')), usual: 7, set: undefined }
  await expect(listenOn(failing)).rejects.toThrow('cannot listen for MQTT on 127.0.0.1:7: no such host')
})
