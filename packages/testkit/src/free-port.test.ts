import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { canConnect, freePort, freePorts } from './free-port.ts'

test('ports are free, different, and not taken by outgoing connections', async () => {
  const ports = await freePorts(20)
  expect(new Set(ports).size).toBe(20)
  expect(Math.max(...ports)).toBeLessThan(32_768)
})

test('a program that listens on a free port can be reached', async () => {
  const port = await freePort()
  await expect(canConnect(port)).rejects.toThrow('ECONNREFUSED')
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  await canConnect(port)
  server.close()
})
