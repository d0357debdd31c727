import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A DNS server on loopback. It answers from `records`, says that other names do not exist, and ignores silent ones. */
export interface DnsServer {
  /** The server as `address:port`. */
  readonly address: string
  /** The addresses of each name. */
  readonly records: Map<string, readonly string[]>
  /** Names that are never answered. */
  readonly silent: Set<string>
  /** Ignores every question from now on. */
  isDown: boolean
  /** The questions so far, for example `A pump.test`. */
  readonly questions: string[]
  stop(): Promise<void>
}

const TYPES: Record<number, string> = { 1: 'A', 28: 'AAAA' }
const NO_SUCH_NAME = 3

export async function startDnsServer(port = 0): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const server = {
    address: '',
    records: new Map<string, readonly string[]>(),
    silent: new Set<string>(),
    isDown: false,
    questions: [] as string[],
    async stop() {
      socket.close()
      await once(socket, 'close')
    },
  }

  socket.on('message', (query, from) => {
    const { name, type, end } = questionIn(query)
    server.questions.push(`${TYPES[type]} ${name}`)
    if (server.isDown || server.silent.has(name) || server.silent.has(`${TYPES[type]} ${name}`)) return
    const addresses = server.records.get(name)
    const ofType = (addresses ?? []).filter((address) => address.includes(':') === (TYPES[type] === 'AAAA'))
    socket.send(reply(query.subarray(0, end), type, ofType, addresses ? 0 : NO_SUCH_NAME), from.port, from.address)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')
  server.address = `127.0.0.1:${socket.address().port}`
  return server
}

const HEADER = 12

function questionIn(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = HEADER
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function reply(question: Buffer, type: number, addresses: readonly string[], code: number): Buffer {
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(addresses.length, 6)
  // No authority and no additional records: the question may have had some.
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...addresses.map((address) => answer(type, bytesOf(address)))])
}

/** Returns a record for the name at offset 12, the one in the question, that may not be cached. */
function answer(type: number, data: Uint8Array): Buffer {
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc000 | HEADER, 0)
  record.writeUInt16BE(type, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(data.length, 10)
  return Buffer.concat([record, data])
}

/** Returns the bytes of an IPv4 address, or of the IPv6 address `::n`. */
function bytesOf(address: string): Uint8Array {
  if (!address.includes(':')) return Uint8Array.from(address.split('.').map(Number))
  const bytes = new Uint8Array(16)
  bytes[15] = Number(address.replace('::', ''))
  return bytes
}
