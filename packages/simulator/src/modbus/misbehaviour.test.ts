import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createLog } from '@plantroom/base/log'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { watchTraffic } from '@plantroom/testkit/watch-traffic'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ModbusFaults } from '../faults.ts'
import type { Unit } from './functions.ts'
import { type ModbusServer, startModbusServer } from './server.ts'

let clock: ManualClock
let server: ModbusServer
let sockets: Socket[]
let register: number
let reboots: number

/** One register at every address. */
const unit: Unit = {
  readRegisters: (_table, _address, count) => Array.from({ length: count }, () => register),
  readBits: () => undefined,
  writeRegisters(_address, [word = 0]) {
    register = word
    return 'written'
  },
  writeCoils: () => 'noSuchAddress',
}

beforeEach(async () => {
  clock = createManualClock()
  sockets = []
  register = 0x0102
  reboots = 0
  server = await startModbusServer({
    host: '127.0.0.1',
    port: 0,
    units: new Map([
      [1, unit],
      [2, unit],
    ]),
    faults: {},
    onReboot() {
      reboots += 1
    },
    clock,
    log: createLog('test', 'silent'),
  })
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server.stop()
})

interface Client {
  socket: Socket
  /** The received chunks in hexadecimal. */
  chunks: string[]
  received(): string
  send(hex: string): void
  ended: Promise<unknown>
  /** The error that ended the connection. */
  error(): string | undefined
}

async function client(): Promise<Client> {
  const socket = connect(server.port, server.host)
  sockets.push(socket)
  const chunks: string[] = []
  let error: string | undefined
  socket.on('data', (chunk) => chunks.push(chunk.toString('hex')))
  socket.on('error', (failure: NodeJS.ErrnoException) => {
    error = failure.code
  })
  const ended = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  return {
    socket,
    chunks,
    received: () => chunks.join(''),
    send: (hex) => void socket.write(Buffer.from(hex.replaceAll(' ', ''), 'hex')),
    ended,
    error: () => error,
  }
}

const READ = '0007 0000 0006 01 03 0000 0001'
const READ_OTHER_UNIT = '0008 0000 0006 02 03 0000 0001'
const WRITE = '0009 0000 0006 01 06 0000 1234'
const GOOD = '00070000000501030201' + '02'
const GOOD_OTHER_UNIT = '00080000000502030201' + '02'
const WRITTEN = '000900000006010600001234'

/** Expects the reply to a request with the given faults. */
async function answered(faults: ModbusFaults, request: string, reply: string): Promise<void> {
  server.misbehave(faults)
  const { send, received } = await client()
  send(request)
  await eventually(() => expect(received()).toBe(reply))
}

describe('a Modbus server that misbehaves', () => {
  test.each<[string, ModbusFaults, string]>([
    ['with the transaction of another', { 'wrong-transaction': 1 }, '00080000000501030201' + '02'],
    ['for another unit', { 'wrong-unit': 1 }, '00070000000502030201' + '02'],
    ['with a byte too few, and a header that agrees', { 'short-frame': 1 }, '000700000004010302' + '01'],
  ])('answers %s', (_name, faults, reply) => answered(faults, READ, reply))

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])('refuses with exception %i, and does nothing', async (exception) => {
    const code = exception.toString(16).padStart(2, '0')
    await answered({ exception }, READ, `0007000000030183${code}`)
    await answered({ exception }, WRITE, `0009000000030186${code}`)
    expect(register).toBe(0x0102)
  })

  test('acknowledges a write that it ignores', async () => {
    await answered({ 'ignore-writes': 1 }, WRITE, WRITTEN)
    expect(register).toBe(0x0102)
    await answered({}, WRITE, WRITTEN)
    expect(register).toBe(0x1234)
  })

  test('neither answers nor acts while it is silent, and recovers afterwards', async () => {
    server.misbehave({ silent: 1, 'only-unit': 1 })
    const { send, received } = await client()
    send(WRITE)
    send(READ_OTHER_UNIT)
    await eventually(() => expect(received()).toBe(GOOD_OTHER_UNIT))
    expect(register).toBe(0x0102)
    server.misbehave({})
    send(READ)
    await eventually(() => expect(received()).toBe(GOOD_OTHER_UNIT + GOOD))
  })

  test('answers late but in order, and acts immediately', async () => {
    server.misbehave({ late: 1500 })
    const { send, received } = await client()
    send(WRITE)
    await eventually(() => expect(clock.waiting()).toEqual([1500]))
    expect(register).toBe(0x1234)
    server.misbehave({})
    register = 0x0102
    send(READ)
    await clock.advance(1499)
    expect(received()).toBe('')
    await clock.advance(1)
    await eventually(() => expect(received()).toBe(WRITTEN + GOOD))
  })

  test('drops a late answer when its client has disconnected', async () => {
    server.misbehave({ late: 1500 })
    const { send, socket } = await client()
    send(READ)
    await eventually(() => expect(clock.waiting()).toEqual([1500]))
    socket.destroy()
    await eventually(() => expect(clock.waiting()).toEqual([]))
  })

  test('answers byte by byte', async () => {
    server.misbehave({ 'byte-by-byte': 1 })
    const { send, chunks } = await client()
    send(READ)
    for (let length = 1; length <= 11; length += 1) {
      await eventually(() => expect(chunks).toHaveLength(length))
      await clock.advance(1)
    }
    expect(chunks).toEqual(GOOD.match(/../g))
  })

  test('closes the connection at a request', async () => {
    server.misbehave({ reset: 1 })
    const { send, ended, error } = await client()
    send(READ)
    await ended
    expect(error()).toBe('ECONNRESET')
  })

  test('reboots once: it closes connections and loses values', async () => {
    const { ended } = await client()
    server.misbehave({ reboot: 1 })
    await ended
    expect(reboots).toBe(1)
    const { send, received } = await client()
    send(READ)
    await eventually(() => expect(received()).toBe(GOOD))
    expect(reboots).toBe(1)
  })

  test('serves a single connection', async () => {
    server.misbehave({ 'one-connection': 1 })
    const first = await client()
    first.send(READ)
    await eventually(() => expect(first.received()).toBe(GOOD))
    await (await client()).ended
    first.socket.destroy()
    await first.ended
    await eventually(async () => {
      const next = await client()
      next.send(READ)
      await eventually(() => expect(next.received()).toBe(GOOD), 1000)
    })
  })

  test('ignores requests right after the connection', async () => {
    const traffic = watchTraffic()
    onTestFinished(() => traffic.stop())
    server.misbehave({ 'deaf-after-connect': 200 })
    const { send, received } = await client()
    send(READ)
    await traffic.settled()
    await clock.advance(200)
    send(READ_OTHER_UNIT)
    await eventually(() => expect(received()).toBe(GOOD_OTHER_UNIT))
  })
})
