import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/**
 * How the equipment treats a write: accepts it, acknowledges it without effect, or refuses it with a Modbus exception. When
 * `silent`, it answers no request at all.
 */
export type WriteBehaviour = 'obedient' | 'ignoring' | 'silent' | { exception: number }

/** Faulty Modbus TCP equipment, independent of our drivers and simulator. One unit with holding registers only. */
export interface FaultyEquipment extends AsyncDisposable {
  readonly port: number
  behaviour: WriteBehaviour
  /** Silent registers: a request that includes one of them gets no answer. */
  readonly silent: Set<number>
  /** Unreadable registers and the exceptions for reading them. */
  readonly exceptions: Map<number, number>
  /** Number of answered reads. */
  readonly polls: number
  /** Every value received since the start of a test, accepted or not. */
  readonly writes: { register: number; value: number }[]
  register(address: number): number
  set(address: number, value: number): FaultyEquipment
  /** Resets all registers to zero, as after a loss of memory. */
  forget(): void
  /** Closes all connections. */
  hangUp(): void
  stop(): Promise<void>
  /** Starts again on the same port. */
  start(): Promise<void>
}

const HEADER = 7
const READ_HOLDING = 3
const WRITE_ONE = 6
const WRITE_MANY = 16
const ILLEGAL_FUNCTION = 1

export async function faultyEquipment(): Promise<FaultyEquipment> {
  const registers = new Map<number, number>()
  const silent = new Set<number>()
  const exceptions = new Map<number, number>()
  const writes: { register: number; value: number }[] = []
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let port = 0
  let polls = 0
  let behaviour: WriteBehaviour = 'obedient'

  const register = (address: number) => registers.get(address) ?? 0

  function answer(pdu: Buffer): Buffer | undefined {
    if (behaviour === 'silent' || touched(pdu).some((address) => silent.has(address))) return undefined
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
      if (behaviour === 'obedient') registers.set(first + index, value)
    })
    if (typeof behaviour === 'object') return Buffer.from([pdu.readUInt8(0) | 0x80, behaviour.exception])
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
  const equipment: FaultyEquipment = {
    port,
    get behaviour() {
      return behaviour
    },
    set behaviour(next) {
      behaviour = next
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
