import { once } from 'node:events'
import { connect } from 'node:net'

/** Raw Modbus TCP access to the equipment: one request per socket, without our driver. */
export interface Equipment {
  holding(unitId: number, address: number, count: number): Promise<Buffer>
  input(unitId: number, address: number, count: number): Promise<Buffer>
  coil(unitId: number, address: number): Promise<boolean>
  writeRegisters(unitId: number, address: number, words: Buffer): Promise<void>
  writeCoil(unitId: number, address: number, on: boolean): Promise<void>
}

const TIMEOUT_MS = 10_000
const HEADER = 7

/** Calls `port` for every request, because restarted equipment may have another port. */
export function equipmentAt(port: () => number): Equipment {
  const read = async (functionCode: number, unitId: number, address: number, count: number) => {
    const reply = await ask(port(), unitId, Buffer.from([functionCode, ...word(address), ...word(count)]))
    return reply.subarray(2)
  }
  return {
    holding: (unitId, address, count) => read(3, unitId, address, count),
    input: (unitId, address, count) => read(4, unitId, address, count),
    coil: async (unitId, address) => ((await read(1, unitId, address, 1)).readUInt8(0) & 1) === 1,
    async writeRegisters(unitId, address, words) {
      const head = Buffer.from([16, ...word(address), ...word(words.length / 2), words.length])
      await ask(port(), unitId, Buffer.concat([head, words]))
    },
    async writeCoil(unitId, address, on) {
      await ask(port(), unitId, Buffer.from([5, ...word(address), on ? 0xff : 0, 0]))
    },
  }
}

/** Returns the two bytes of a register, high byte first. */
export const word = (value: number): [number, number] => [(value >> 8) & 0xff, value & 0xff]

async function ask(port: number, unitId: number, pdu: Buffer): Promise<Buffer> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, timeout: TIMEOUT_MS })
  socket.on('timeout', () => socket.destroy(new Error(`no answer on port ${port}`)))
  try {
    await once(socket, 'connect')
    socket.write(Buffer.concat([Buffer.from([0, 1, 0, 0, ...word(pdu.length + 1), unitId]), pdu]))
    let received = Buffer.alloc(0)
    while (received.length < HEADER || received.length < 6 + received.readUInt16BE(4)) {
      const [chunk] = (await once(socket, 'data')) as [Buffer]
      received = Buffer.concat([received, chunk])
    }
    const reply = received.subarray(HEADER)
    if (reply.readUInt8(0) !== pdu.readUInt8(0)) throw new Error(`the equipment refused with ${reply.readUInt8(1)}`)
    return reply
  } finally {
    socket.destroy()
  }
}
