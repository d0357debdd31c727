import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Log } from '@plantroom/base/log'
import { enumerated, object, unsigned } from './encoding.ts'
import { answer, type BacnetDevice, MAX_APDU } from './services.ts'

export interface BacnetServer {
  host: string
  /** The port it listens on, even if 0 was requested. */
  port: number
  stop(): Promise<void>
}

const BVLC = 0x81
const UNICAST = 0x0a
const BROADCAST = 0x0b
const FORWARDED = 0x04
const WHO_IS = Buffer.of(0x10, 8)
const I_AM = Buffer.of(0x10, 0)
const DEVICE = 8
const NO_SEGMENTATION = 3
const NO_VENDOR = 999

/** Starts a BACnet/IP device. Rejects if the port is in use. What it cannot read it does not answer, as devices do. */
export async function startBacnetServer(
  device: BacnetDevice,
  { host, port, log }: { host: string; port: number; log: Log },
): Promise<BacnetServer> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  socket.bind(port, host)
  await once(socket, 'listening')
  socket.on('error', (error) => log.error({ error: error.message }, 'the BACnet device failed'))
  socket.on('message', (bytes, from) => {
    const apdu = apduIn(bytes)
    const reply = apdu && (isWhoIs(apdu, device.instance) ? iAm(device.instance) : answer(device, apdu))
    if (!reply) return log.debug({ from: from.address }, 'a datagram got no answer')
    socket.send(framed(reply), from.port, from.address)
  })
  const { address, port: listening } = socket.address() as AddressInfo
  return {
    host: address,
    port: listening,
    async stop() {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

/** Returns the message in a datagram; `undefined` if it is none, or is for another network. */
function apduIn(bytes: Buffer): Buffer | undefined {
  if (bytes.length < 6 || bytes[0] !== BVLC || bytes.readUInt16BE(2) !== bytes.length) return undefined
  const kind = bytes[1] ?? 0
  if (![UNICAST, BROADCAST, FORWARDED].includes(kind)) return undefined
  const network = bytes.subarray(kind === FORWARDED ? 10 : 4)
  const control = network[1] ?? 0
  if (network[0] !== 1 || (control & 0x80) !== 0) return undefined
  let at = 2
  if (control & 0x20) at += 3 + (network[4] ?? 0)
  if (control & 0x08) at += 3 + (network[at + 2] ?? 0)
  if (control & 0x20) at += 1
  return network.length > at ? network.subarray(at) : undefined
}

function framed(apdu: Buffer): Buffer {
  const header = Buffer.of(BVLC, UNICAST, 0, 0, 1, 0)
  header.writeUInt16BE(header.length + apdu.length, 2)
  return Buffer.concat([header, apdu])
}

/** True for a question to all devices, or to a range of instances that has this one. */
function isWhoIs(apdu: Buffer, instance: number): boolean {
  if (!apdu.subarray(0, 2).equals(WHO_IS)) return false
  const [low, high] = limitsIn(apdu.subarray(2))
  return low <= instance && instance <= high
}

function limitsIn(data: Buffer): [number, number] {
  const limits: number[] = []
  for (let at = 0; at < data.length; ) {
    const length = (data[at] ?? 0) & 7
    if (length < 1 || length > 4 || at + 1 + length > data.length) return [1, 0]
    limits.push(data.readUIntBE(at + 1, length))
    at += 1 + length
  }
  return limits.length === 0 ? [0, Number.POSITIVE_INFINITY] : [limits[0] ?? 0, limits[1] ?? 0]
}

const iAm = (instance: number) =>
  Buffer.concat([I_AM, object(DEVICE, instance), unsigned(MAX_APDU), enumerated(NO_SEGMENTATION), unsigned(NO_VENDOR)])
