import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import { OFFLINE } from '../../testing/driver-rig.ts'
import { createSerialProtocol } from '../driver.ts'
import { connectionOf, never, type Points } from '../testing/bench.ts'
import { startLibmodbusUnit, withoutLibmodbus } from '../testing/libmodbus.ts'
import { startPtyPair, withoutSocat } from '../testing/pty-pair.ts'
import { mbpollOnLine, startPymodbus, withoutMbpoll, withoutPymodbus } from '../testing/pymodbus.ts'
import { startSerialBus } from '../testing/serial-bus.ts'
import { lineTimes } from './serial.ts'

const UNIT = 7
const word = (register: number) => ({ register, type: 'uint16' })

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-serial-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function connect(
  points: Points,
  settings: Record<string, unknown>,
  protocol = createSerialProtocol({ clock: systemClock }),
) {
  const driver = protocol.connect(connectionOf(points, { unitId: UNIT, timeoutMs: 2000, ...settings }))
  onTestFinished(() => driver.close())
  return driver
}

test('the line is silent for 3.5 characters, and for 1.75 ms above 19,200 baud', () => {
  const at = (baudRate: number, parity: 'none' | 'even', stopBits: 1 | 2) => lineTimes({ baudRate, parity, stopBits })
  expect(at(19_200, 'even', 1).silenceMs).toBeCloseTo(2.005, 3)
  expect(at(9600, 'none', 1).silenceMs).toBeCloseTo(3.646, 3)
  expect(at(9600, 'none', 2)).toEqual(at(9600, 'even', 1))
  expect(at(115_200, 'even', 1).silenceMs).toBe(1.75)
})

test('the settings name what is wrong with a line', () => {
  const { check } = createSerialProtocol({ clock: systemClock })
  const settings = { path: 'COM3', baudRate: '9600', parity: 'mark', stopBits: 3, host: 'a' }
  expect(check(connectionOf({}, settings)).map(({ path }) => path)).toEqual([
    'settings.path',
    'settings.baudRate',
    'settings.parity',
    'settings.stopBits',
    'settings.host',
  ])
  expect(check(connectionOf({}, { path: '/dev/ttyUSB0' }))).toEqual([])
})

test('a port that is not there says so', async () => {
  await expect(connect({}, { path: '/dev/no-such-port' }).open(never)).rejects.toThrow(
    '/dev/no-such-port does not exist: check that the adapter is plugged in',
  )
})

describe.skipIf(withoutSocat)('a serial line', () => {
  test('has one speed: a connection with another one says so', async () => {
    const pair = await startPtyPair(makeFolder())
    onTestFinished(() => pair.stop())
    const protocol = createSerialProtocol({ clock: systemClock })
    await connect({}, { path: pair.ours }, protocol).open(never)
    const other = connect({}, { path: pair.ours, baudRate: 9600 }, protocol)
    await expect(other.open(never)).rejects.toThrow('a connection with other settings of the line')
  })

  test.skipIf(withoutLibmodbus || withoutMbpoll)(
    'with a unit by libmodbus is read and written; mbpoll agrees',
    async () => {
      const folder = makeFolder()
      const pair = await startPtyPair(folder)
      onTestFinished(() => pair.stop())
      const unit = await startLibmodbusUnit(folder, pair.theirs)
      onTestFinished(() => unit[Symbol.asyncDispose]())
      const points = Object.fromEntries(Array.from({ length: 100 }, (_, register) => [`r${register}`, word(register)]))
      const driver = connect({ ...points, beyond: word(100) }, { path: pair.ours, parity: 'none' })
      await driver.open(never)
      expect(await driver.read(Object.keys(points))).toEqual(Array.from({ length: 100 }, (_, raw) => ({ raw })))
      expect(await driver.read(['beyond'])).toEqual([{ error: 'exception 2: illegal data address' }])
      await driver.write('r42', 0xfffe)
      await driver.close()
      // Our port is closed, so that the line has one master.
      await eventually(async () => expect(await mbpollOnLine(pair.ours, UNIT, 42)).toEqual([0xfffe]))
    },
  )

  test.skipIf(withoutPymodbus || withoutMbpoll)(
    'with a second master shows no wrong value, and works when it is gone',
    async () => {
      const folder = makeFolder()
      const bus = await startSerialBus(folder, 3)
      onTestFinished(() => bus[Symbol.asyncDispose]())
      const [ours = '', theirs = '', units = ''] = bus.ends
      const place = (address: number) =>
        ({ unit: UNIT, table: 'holding', address, type: 'uint16', order: 'ABCD' }) as const
      const server = await startPymodbus(
        [10, 11, 500].map((address) => ({ ...place(address), value: String(address) })),
        0,
        { serial: units },
      )
      onTestFinished(() => server.kill())
      const driver = connect({ a: word(10), b: word(11) }, { path: ours, parity: 'none', timeoutMs: 200 })
      await driver.open(never)
      let isOver = false
      const other = mbpollOnLine(theirs, UNIT, 500, 100).finally(() => {
        isOver = true
      })
      while (!isOver) {
        const readings = await driver.read(['a', 'b']).catch(() => [])
        for (const [index, reading] of readings.entries()) if ('raw' in reading) expect(reading.raw).toBe(10 + index)
      }
      await other
      await eventually(async () => expect(await driver.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 11 }]))
    },
  )

  test('whose adapter is unplugged is offline, and works again when the adapter is back under another name', async () => {
    const folder = makeFolder()
    const first = await startPtyPair(folder)
    const place = { unit: UNIT, table: 'holding', address: 1, type: 'uint16', order: 'ABCD' } as const
    const serve = async (path: string) => {
      const server = await startPymodbus([{ ...place, value: '5' }], 0, { serial: path })
      onTestFinished(() => server.kill())
    }
    await serve(first.theirs)
    const driver = connect({ a: word(1) }, { path: first.ours })
    await driver.open(never)
    expect(await driver.read(['a'])).toEqual([{ raw: 5 }])
    await first.stop()
    await expect(driver.write('a', 7)).rejects.toThrow(OFFLINE)
    const second = await startPtyPair(folder)
    onTestFinished(() => second.stop())
    await serve(second.theirs)
    await eventually(async () => {
      await driver.open(never)
      expect(await driver.read(['a'])).toEqual([{ raw: 5 }])
    })
  })
})
