import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Unit } from './functions.ts'
import { type ModbusServer, startModbusServer } from './server.ts'

let server: ModbusServer
let sockets: Socket[]
let registers: number[]
let coils: boolean[]

/** A unit with ten registers and ten bits from address 0, equal in both tables; it rejects the value 999. */
const unit: Unit = {
  readRegisters: (_table, address, count) =>
    address + count <= registers.length ? registers.slice(address, address + count) : undefined,
  readBits: (_table, address, count) =>
    address + count <= coils.length ? coils.slice(address, address + count) : undefined,
  writeRegisters(address, words) {
    if (address + words.length > registers.length) return 'noSuchAddress'
    if (words.includes(999)) return 'badValue'
    registers.splice(address, words.length, ...words)
    return 'written'
  },
  writeCoils(address, values) {
    if (address + values.length > coils.length) return 'noSuchAddress'
    coils.splice(address, values.length, ...values)
    return 'written'
  },
}

beforeEach(async () => {
  registers = Array.from({ length: 10 }, (_, index) => index * 0x101)
  coils = Array.from({ length: 10 }, (_, index) => index % 3 === 0)
  sockets = []
  server = await startModbusServer({
    host: '127.0.0.1',
    port: 0,
    units: new Map([
      [1, unit],
      [7, unit],
    ]),
    faults: {},
    onReboot() {},
    clock: systemClock,
    log: createLog('test', 'silent'),
  })
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server.stop()
})

async function client(): Promise<Socket> {
  const socket = connect(server.port, server.host)
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')

/** Collects `length` bytes. */
async function receive(socket: Socket, length: number): Promise<string> {
  let received = Buffer.alloc(0)
  while (received.length < length) {
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    received = Buffer.concat([received, chunk])
  }
  return received.toString('hex')
}

/** Sends a request and expects the reply, both without the transaction id, protocol and length. */
async function exchange(request: string, reply: string) {
  const socket = await client()
  const pdu = bytes(request)
  const head = Buffer.from([0xab, 0xcd, 0, 0, 0, pdu.length])
  const expected = bytes(reply)
  socket.write(Buffer.concat([head, pdu]))
  expect(await receive(socket, 6 + expected.length)).toBe(
    `abcd000000${hex2(expected.length)}${expected.toString('hex')}`,
  )
}

const hex2 = (value: number) => value.toString(16).padStart(2, '0')

describe('a Modbus TCP server answers', () => {
  test.each([
    ['reads coils', '01 01 0000 000a', '01 01 02 4902'],
    ['reads discrete inputs', '01 02 0003 0001', '01 02 01 01'],
    ['reads holding registers', '01 03 0001 0002', '01 03 04 0101 0202'],
    ['reads input registers', '07 04 0009 0001', '07 04 02 0909'],
    ['writes a coil', '01 05 0001 ff00', '01 05 0001 ff00'],
    ['writes a register', '01 06 0001 1234', '01 06 0001 1234'],
    ['writes coils', '01 0f 0000 000a 02 ff01', '01 0f 0000 000a'],
    ['writes registers', '01 10 0000 0002 04 00010002', '01 10 0000 0002'],
    ['an unknown function with exception 1', '01 2b 0e01', '01 ab 01'],
    ['an unknown address with exception 2', '01 03 0009 0002', '01 83 02'],
    ['an unknown address written with exception 2', '01 06 000a 0001', '01 86 02'],
    ['addresses beyond the last with exception 2', '01 03 ffff 0002', '01 83 02'],
    ['a value it does not take with exception 3', '01 06 0000 03e7', '01 86 03'],
    ['a count of 0 with exception 3', '01 03 0000 0000', '01 83 03'],
    ['a count of 126 registers with exception 3', '01 03 0000 007e', '01 83 03'],
    ['a count of 2001 coils with exception 3', '01 01 0000 07d1', '01 81 03'],
    ['a coil that is neither on nor off with exception 3', '01 05 0000 0001', '01 85 03'],
    ['a wrong byte count with exception 3', '01 10 0000 0002 03 000102', '01 90 03'],
    ['a request that is cut short with exception 3', '01 03 0000', '01 83 03'],
    ['for a unit that nobody has with exception 11', '09 03 0000 0001', '09 83 0b'],
  ])('%s', (_name, request, reply) => exchange(request, reply))

  test('and stores the confirmed values', async () => {
    await exchange('01 0f 0000 000a 02 ff01', '01 0f 0000 000a')
    await exchange('01 10 0003 0002 04 12345678', '01 10 0003 0002')
    expect(coils).toEqual([true, true, true, true, true, true, true, true, true, false])
    expect(registers.slice(2, 6)).toEqual([0x202, 0x1234, 0x5678, 0x505])
  })
})

describe('a Modbus TCP server', () => {
  test('accepts a request that arrives byte by byte', async () => {
    const socket = await client()
    socket.setNoDelay(true)
    for (const byte of bytes('0001 0000 0006 01 03 0001 0001')) {
      await new Promise<void>((resolve) => socket.write(Uint8Array.of(byte), () => resolve()))
    }
    expect(await receive(socket, 11)).toBe('00010000000501030201' + '01')
  })

  test('answers requests that arrive together, in order', async () => {
    const socket = await client()
    socket.write(bytes('0001 0000 0006 01 03 0001 0001 0002 0000 0006 01 03 0002 0001 0003'))
    expect(await receive(socket, 22)).toBe('0001000000050103020101' + '0002000000050103020202')
    socket.write(bytes('0000 0006 01 03 0003 0001'))
    expect(await receive(socket, 11)).toBe('0003000000050103020303')
  })

  test('serves several clients at once', async () => {
    const [first, second] = await Promise.all([client(), client()])
    second.write(bytes('0002 0000 0006 01 03 0002 0001'))
    expect(await receive(second, 11)).toBe('0002000000050103020202')
    first.write(bytes('0001 0000 0006 01 03 0001 0001'))
    expect(await receive(first, 11)).toBe('0001000000050103020101')
  })

  test.each([
    ['another protocol', '474554202f20485454502f312e310d0a0d0a'],
    ['a frame longer than 260 bytes', '0001 0000 00ff 01 03'],
    ['a frame without a function', '0001 0000 0001 01'],
  ])('closes the connection on %s', async (_name, sent) => {
    const socket = await client()
    socket.on('error', () => {})
    const hungUp = once(socket, 'close')
    socket.resume()
    socket.write(bytes(sent))
    await hungUp
  })

  test('closes all connections when it stops', async () => {
    const socket = await client()
    socket.on('error', () => {})
    const hungUp = once(socket, 'close')
    socket.resume()
    await server.stop()
    await hungUp
  })
})
