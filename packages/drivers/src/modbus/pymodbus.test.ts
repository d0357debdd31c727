import { systemClock } from '@plantroom/base/clock'
import { eventually } from '@plantroom/testkit/eventually'
import { pauseProcess } from '@plantroom/testkit/pause-process'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Driver, Raw } from '../driver.ts'
import { REGISTERS_OF, type ValueType } from './config.ts'
import { createModbusProtocol } from './driver.ts'
import { connectionOf, never, type Points } from './testing/bench.ts'
import {
  ALL,
  bits,
  COILS,
  type Entry,
  FIRST,
  ids,
  layout,
  pointsOf,
  REGISTERS,
  shownAs,
  UNIT,
  WORDS,
} from './testing/every-type.ts'
import {
  mbpoll,
  mbpollWrite,
  type Pymodbus,
  startPymodbus,
  withoutMbpoll,
  withoutPymodbus,
} from './testing/pymodbus.ts'

async function start(port?: number): Promise<Pymodbus> {
  const server = await startPymodbus(layout(), port)
  onTestFinished(() => server.kill())
  return server
}

async function open(
  { port }: Pymodbus,
  points: Points,
  settings: Record<string, unknown> = {},
  protocol = createModbusProtocol({ clock: systemClock }),
): Promise<Driver> {
  const connection = connectionOf(points, { host: '127.0.0.1', port, unitId: UNIT, timeoutMs: 10_000, ...settings })
  const driver = protocol.connect(connection)
  onTestFinished(() => driver.close())
  await driver.open(never)
  return driver
}

describe.skipIf(withoutPymodbus)('a third-party server: pymodbus', () => {
  test('is read in every type, word order and table', async () => {
    const driver = await open(await start(), pointsOf(ALL))
    expect(await driver.read(ids(ALL))).toEqual(ALL.map(({ before }) => ({ raw: before })))
  })

  test('is read bit by bit', async () => {
    const word = WORDS.find(({ type, order }) => type === 'uint16' && order === 'ABCD')
    if (!word) throw new Error('no such word')
    const points = Object.fromEntries(
      Array.from({ length: 16 }, (_, bit) => [
        `bit ${bit}`,
        { register: word.address, type: 'uint16', bit, accessType: 'READ' },
      ]),
    )
    const driver = await open(await start(), points)
    const expected = Array.from({ length: 16 }, (_, bit) => ({ raw: (Number(word.before) >> bit) & 1 }))
    expect(await driver.read(Object.keys(points))).toEqual(expected)
  })

  test.each([
    { what: 'registers, by the usual function', entries: WORDS, more: {} },
    {
      what: 'single registers, by function 6',
      entries: WORDS.filter(({ type }) => REGISTERS_OF[type] === 1),
      more: { writeFunction: 6 },
    },
    { what: 'registers, by function 16', entries: WORDS, more: { writeFunction: 16 } },
    { what: 'coils, by function 5', entries: COILS, more: { writeFunction: 5 } },
    { what: 'coils, by function 15', entries: COILS, more: { writeFunction: 15 } },
  ])('holds the written values, and nothing else has changed: $what', async ({ entries, more }) => {
    const server = await start()
    const driver = await open(server, pointsOf(entries, more))
    for (const { id, after } of entries) await driver.write(id, after)
    for (const entry of entries)
      expect([entry.id, shownAs(entry, await server.at(entry))]).toEqual([entry.id, entry.after])
    expect(await driver.read(ids(entries))).toEqual(entries.map(({ after }) => ({ raw: after })))
    const untouched = ALL.filter((entry) => !entries.includes(entry))
    for (const entry of untouched) expect(shownAs(entry, await server.at(entry))).toBe(entry.before)
  })

  test('keeps its values when a new one does not fit', async () => {
    const server = await start()
    const driver = await open(server, pointsOf(WORDS))
    const tooMuch: Partial<Record<ValueType, Raw>> = {
      int16: 32_768,
      uint16: -1,
      int32: 2 ** 31,
      uint32: 2 ** 32,
      int64: 2n ** 63n,
      uint64: 2n ** 64n,
      float32: 1e39,
      float64: Number.NaN,
      bool: 2,
    }
    for (const { id, type } of WORDS) {
      const raw = tooMuch[type] ?? Number.NaN
      await expect(driver.write(id, raw)).rejects.toThrow(`${raw} does not fit ${type}`)
    }
    expect(await driver.read(ids(WORDS))).toEqual(WORDS.map(({ before }) => ({ raw: before })))
  })

  test('reports an illegal address for a missing register, and the values of the others', async () => {
    const beyond = { register: FIRST + REGISTERS, type: 'uint16' }
    const driver = await open(await start(), { ...pointsOf(WORDS), beyond })
    for (let turn = 0; turn < 2; turn += 1) {
      const readings = await driver.read([...ids(WORDS), 'beyond'])
      expect(readings).toEqual([
        ...WORDS.map(({ before }) => ({ raw: before })),
        { error: 'exception 2: illegal data address' },
      ])
    }
    await expect(driver.write('beyond', 1)).rejects.toMatchObject({ kind: 'rejected' })
  })

  test('is silent for a unit that it does not have, while its other unit is read', async () => {
    const server = await start()
    const protocol = createModbusProtocol({ clock: systemClock })
    const there = await open(server, pointsOf(WORDS), {}, protocol)
    const absent = await open(server, pointsOf(WORDS), { unitId: 9, timeoutMs: 200 }, protocol)
    const readings = Promise.all([there.read(ids(WORDS)), there.read(ids(WORDS))])
    await expect(absent.read(ids(WORDS))).rejects.toThrow('unit 9')
    const [first, last] = await readings
    expect(first).toEqual(WORDS.map(({ before }) => ({ raw: before })))
    expect(last).toEqual(first)
  })

  describe('with registers that do not answer', () => {
    const [held, other, last] = [WORDS[1], WORDS[5], WORDS.at(-1)]
    if (!held || !other || !last) throw new Error('too few words')
    const silent = [WORDS[3], WORDS[20], WORDS.at(-2)].filter((word) => word !== undefined)
    const isSilent = (word: Entry) => silent.includes(word)
    const expected = WORDS.map((word) =>
      isSilent(word) ? { error: expect.stringContaining('did not answer') } : { raw: word.before },
    )
    const SETTINGS = { timeoutMs: 500 }

    /** Writes as the controller does: again after a miss. Beside a silent register a write gets a short timeout. */
    const writeSoon = (driver: Driver, ...write: Parameters<Driver['write']>) =>
      eventually(() => driver.write(...write))

    test('reads the others, writes them, and reads all when they answer again', async () => {
      const server = await start()
      const driver = await open(server, pointsOf(WORDS), SETTINGS)
      await driver.read(ids(WORDS))
      await driver.write(held.id, held.after)
      await server.silence(silent)
      await eventually(async () => {
        const readings = await driver.read(ids(WORDS))
        expect(readings).toEqual(expected.map((reading, index) => (index === 1 ? { raw: held.after } : reading)))
      })
      await writeSoon(driver, held.id, held.before, { release: true })
      expect(shownAs(held, await server.at(held))).toBe(held.before)
      await eventually(async () => expect(await driver.read(ids(WORDS))).toEqual(expected))

      await server.silence([])
      await eventually(async () => {
        expect(await driver.read(ids(WORDS))).toEqual(WORDS.map(({ before }) => ({ raw: before })))
      })
    })

    test('from the start reads and writes the others', async () => {
      const server = await start()
      await server.silence(silent)
      const driver = await open(server, pointsOf(WORDS), SETTINGS)
      await driver.write(last.id, last.after)
      expect(shownAs(last, await server.at(last))).toBe(last.after)
      await driver.write(last.id, last.before)
      await eventually(async () => expect(await driver.read(ids(WORDS))).toEqual(expected))
    })

    test('rejects a write to one of them as offline, and sends the next one', async () => {
      const server = await start()
      await server.silence(silent)
      const driver = await open(server, pointsOf(WORDS), SETTINGS)
      const [mute] = silent
      await expect(driver.write(mute?.id ?? '', mute?.after ?? 0)).rejects.toMatchObject({ kind: 'offline' })
      await writeSoon(driver, other.id, other.after)
      expect(shownAs(other, await server.at(other))).toBe(other.after)
    })
  })

  test.each([
    ['a NaN with a payload', 'float32', [0x7fc0, 0x1234], { error: 'the register holds NaN', image: '7fc01234' }],
    ['a signalling NaN', 'float32', [0x7f80, 0x0001], { error: 'the register holds NaN', image: '7f800001' }],
    ['an Infinity', 'float32', [0xff80, 0], { error: 'the register holds -Infinity', image: 'ff800000' }],
    ['a negative zero', 'float64', [0x8000, 0, 0, 0], { raw: 0, image: '8000000000000000' }],
    ['a bool with other bits', 'bool', [0x0102], { raw: 1, image: '0102' }],
  ] as const)('gets %s restored bit for bit', async (_name, type, words, reading) => {
    const places = words.map((value, index) => ({
      ...{ unit: UNIT, table: 'holding' as const, address: index, type: 'uint16' as const, order: 'ABCD' as const },
      value: String(value),
    }))
    const server = await startPymodbus(places)
    onTestFinished(() => server.kill())
    const driver = await open(server, { point: { register: 0, type } })
    const contents = () => Promise.all(places.map((place) => server.at(place)))
    const [before] = await driver.read(['point'])
    expect(before).toEqual(reading)
    await driver.write('point', 0)
    expect(await contents()).toEqual(words.map(() => '0'))
    await driver.write('point', { image: before?.image ?? '' })
    expect(await contents()).toEqual(words.map(String))
  })

  test('counts as answering when its answer arrived while the controller was paused', async () => {
    const [written] = bits('coil')
    if (!written) throw new Error('there is no coil')
    const driver = await open(await start(), pointsOf([written]), { timeoutMs: 200 })
    const writing = driver.write(written.id, written.after)
    pauseProcess(2000)
    await expect(writing).resolves.not.toThrow()
  })

  test('is read again after a power cut, with its factory values', async () => {
    const server = await start()
    const driver = await open(server, pointsOf(WORDS))
    const [first] = WORDS
    if (!first) throw new Error('no word')
    await driver.write(first.id, first.after)
    await server.kill()
    await expect(driver.read([first.id])).rejects.toThrow(`127.0.0.1:${server.port}`)
    await start(server.port)
    await eventually(async () => {
      expect(await driver.read(ids(WORDS))).toEqual(WORDS.map(({ before }) => ({ raw: before })))
    })
  })
})

describe.skipIf(withoutPymodbus || withoutMbpoll)('a third-party client: mbpoll', () => {
  const HOLDING = { unit: UNIT, table: 'holding', address: FIRST } as const

  test('finds the written values in the registers of pymodbus', async () => {
    const server = await start()
    const driver = await open(server, pointsOf([...WORDS, ...COILS]))
    const before = await mbpoll(server.port, HOLDING, REGISTERS)
    const inputs = await mbpoll(server.port, { ...HOLDING, table: 'input' }, REGISTERS)
    expect(before).toEqual(inputs)
    for (const { id, after } of [...WORDS, ...COILS]) await driver.write(id, after)

    for (const { type, address, after } of WORDS.filter(({ order }) => order === 'ABCD')) {
      const place = { ...HOLDING, address }
      const words = await mbpoll(server.port, place, REGISTERS_OF[type])
      if (type !== 'float32' && type !== 'float64') {
        const held = words.reduce((sum, word) => sum * 65_536n + BigInt(word), 0n)
        expect([type, held]).toEqual([type, BigInt.asUintN(16 * REGISTERS_OF[type], BigInt(after))])
      }
      if (type === 'int32') expect(await mbpoll(server.port, place, 1, 'int')).toEqual([after])
      if (type === 'float32') expect(await mbpoll(server.port, place, 1, 'float')).toEqual([after])
    }
    const coils = await mbpoll(server.port, { ...HOLDING, table: 'coil', address: 0 }, COILS.length)
    expect(coils).toEqual(COILS.map(({ after }) => after))
  })

  test('writes registers of pymodbus that the driver reads', async () => {
    const server = await start()
    const driver = await open(server, pointsOf(WORDS))
    const counter = WORDS.find(({ type, order }) => type === 'uint64' && order === 'ABCD')
    if (!counter) throw new Error('no counter')
    await mbpollWrite(server.port, UNIT, counter.address, 0x0020, 0, 0, 1)
    expect(await driver.read([counter.id])).toEqual([{ raw: 9_007_199_254_740_993n }])
  })

  test('finds no change after a value that did not fit', async () => {
    const server = await start()
    const driver = await open(server, pointsOf(WORDS))
    const before = await mbpoll(server.port, HOLDING, REGISTERS)
    for (const { id } of WORDS) await expect(driver.write(id, Number.NaN)).rejects.toThrow('NaN does not fit')
    expect(await mbpoll(server.port, HOLDING, REGISTERS)).toEqual(before)
  })
})
