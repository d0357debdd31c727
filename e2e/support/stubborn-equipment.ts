import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/**
 * What it makes of a write: takes it, acknowledges it and keeps what it has, or refuses it with a Modbus exception. While
 * it is `silent` it answers nothing at all.
 */
export type Manner = 'obedient' | 'ignoring' | 'silent' | { exception: number }

/** Modbus TCP equipment of every bad habit, with nothing of our drivers and our simulator. One unit, holding registers only. */
export interface StubbornEquipment extends AsyncDisposable {
  readonly port: number
  manner: Manner
  /** The registers that take part in no answer: a request that includes one of them gets none. */
  readonly silent: Set<number>
  /** The registers that cannot be read, with the exception that a read of them gets. */
  readonly exceptions: Map<number, number>
  /** How often it was asked for registers and answered. */
  readonly polls: number
  /** Every value that it was sent since the start of a test, taken or not. */
  readonly writes: { register: number; value: number }[]
  register(address: number): number
  set(address: number, value: number): StubbornEquipment
  /** As after a loss of its memory: zeros everywhere. */
  forget(): void
  /** Hangs up on whoever is connected. */
  hangUp(): void
  stop(): Promise<void>
  /** On the same port as before. */
  start(): Promise<void>
}

const HEADER = 7
const READ_HOLDING = 3
const WRITE_ONE = 6
const WRITE_MANY = 16
const ILLEGAL_FUNCTION = 1

export async function stubbornEquipment(): Promise<StubbornEquipment> {
  const registers = new Map<number, number>()
  const silent = new Set<number>()
  const exceptions = new Map<number, number>()
  const writes: { register: number; value: number }[] = []
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let port = 0
  let polls = 0
  let manner: Manner = 'obedient'

  const register = (address: number) => registers.get(address) ?? 0

  function answer(pdu: Buffer): Buffer | undefined {
    if (manner === 'silent' || touched(pdu).some((address) => silent.has(address))) return undefined
    const functionCode = pdu.readUInt8(0)
    if (functionCode === READ_HOLDING) return read(pdu.readUInt16BE(1), pdu.readUInt16BE(3))
    if (functionCode === WRITE_ONE) return write(pdu, [pdu.readUInt16BE(3)])
    if (functionCode !== WRITE_MANY) return Buffer.from([functionCode | 0x80, ILLEGAL_FUNCTION])
    return write(
      pdu,
      Array.from({ length: pdu.readUInt16BE(3) }, (_, index) => pdu.readUInt16BE(6 + 2 * index)),
    )
  }

  function touched(pdu: Buffer): number[] {
    const count = pdu.readUInt8(0) === WRITE_ONE ? 1 : pdu.readUInt16BE(3)
    return Array.from({ length: count }, (_, index) => pdu.readUInt16BE(1) + index)
  }

  function read(first: number, count: number): Buffer {
    polls += 1
    for (let address = first; address < first + count; address += 1) {
      const exception = exceptions.get(address)
      if (exception !== undefined) return Buffer.from([READ_HOLDING | 0x80, exception])
    }
    const reply = Buffer.alloc(2 + 2 * count)
    reply.writeUInt8(READ_HOLDING, 0)
    reply.writeUInt8(2 * count, 1)
    for (let index = 0; index < count; index += 1) reply.writeUInt16BE(register(first + index), 2 + 2 * index)
    return reply
  }

  function write(pdu: Buffer, values: readonly number[]): Buffer {
    const first = pdu.readUInt16BE(1)
    values.forEach((value, index) => {
      writes.push({ register: first + index, value })
      if (manner === 'obedient') registers.set(first + index, value)
    })
    if (typeof manner === 'object') return Buffer.from([pdu.readUInt8(0) | 0x80, manner.exception])
    return pdu.subarray(0, 5)
  }

  function serve(socket: Socket): void {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    let received = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      while (received.length >= HEADER && received.length >= 6 + received.readUInt16BE(4)) {
        const end = 6 + received.readUInt16BE(4)
        const header = Buffer.from(received.subarray(0, HEADER))
        const reply = answer(received.subarray(HEADER, end))
        received = received.subarray(end)
        if (!reply) continue
        header.writeUInt16BE(reply.length + 1, 4)
        socket.write(Buffer.concat([header, reply]))
      }
    })
  }

  function hangUp(): void {
    for (const socket of sockets) socket.destroy()
  }

  async function start(): Promise<void> {
    server = createServer({ noDelay: true }, serve)
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  }

  async function stop(): Promise<void> {
    if (!server?.listening) return
    server.close()
    hangUp()
    await once(server, 'close')
  }

  await start()
  const equipment: StubbornEquipment = {
    port,
    get manner() {
      return manner
    },
    set manner(next) {
      manner = next
    },
    get polls() {
      return polls
    },
    silent,
    exceptions,
    writes,
    register,
    set(address, value) {
      registers.set(address, value)
      return equipment
    },
    forget: () => registers.clear(),
    hangUp,
    stop,
    start,
    [Symbol.asyncDispose]: stop,
  }
  return equipment
}
