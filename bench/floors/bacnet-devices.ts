import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { startDevice } from '@plantroom/drivers/bacnet/testing/device-simulator'
import { simulatedObject } from '@plantroom/drivers/bacnet/testing/objects'

/** Simulated BACnet devices, and a port that echoes datagrams. Arguments: the number of devices, and of objects of each. */
const [devices, objects] = process.argv.slice(2).map(Number)

const ports: number[] = []
for (let instance = 0; instance < (devices ?? 0); instance += 1) {
  const ids = Array.from({ length: objects ?? 0 }, (_, index) => `analog-value,${index}`)
  const device = await startDevice(new Map(ids.map((id) => [id, simulatedObject(id, { fallback: instance })])), {
    instance,
  })
  // What is kept for tests would grow for as long as this runs.
  device.datagrams.push = () => 0
  device.requests.push = () => 0
  device.written.push = () => 0
  ports.push(device.port)
}

const echo = createSocket('udp4')
echo.on('message', (bytes, { port, address }) => echo.send(bytes, port, address))
echo.bind(0, '127.0.0.1')
await once(echo, 'listening')
process.send?.({ ready: { ports, echo: (echo.address() as AddressInfo).port } })
