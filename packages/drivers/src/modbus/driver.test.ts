import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import { REGISTERS_OF, type ValueType } from './config.ts'
import { type Points, useBench } from './testing/bench.ts'
import type { PeerRequest } from './testing/scripted-peer.ts'

const bench = useBench()

const POWER = { power: { register: 100, type: 'int16' } }

describe('reading', () => {
  test('reads adjacent values with one request, and returns them in the requested order', async () => {
    const driver = await bench.open({
      c: { register: 12, type: 'uint16' },
      a: { register: 10, type: 'uint16' },
      wide: { register: 13, type: 'uint32' },
    })
    const asked = bench.serveCountingRegisters()
    expect(await driver.read(['wide', 'a', 'c', 'a'])).toEqual([
      { raw: 13 * 65_536 + 14 },
      { raw: 10 },
      { raw: 12 },
      { raw: 10 },
    ])
    expect(asked).toEqual([[10, 5]])
  })

  test.each([
    // A value is never split, so that only 124 of the 125 registers are used for values of 4 registers.
    { count: 1, type: 'uint16', requests: 1 },
    { count: 125, type: 'uint16', requests: 1 },
    { count: 126, type: 'uint16', requests: 2 },
    { count: 1000, type: 'int16', requests: 8 },
    { count: 62, type: 'float32', requests: 1 },
    { count: 63, type: 'float32', requests: 2 },
    { count: 31, type: 'uint64', requests: 1 },
    { count: 310, type: 'uint64', requests: 10 },
  ])(
    'sends $requests requests for $count adjacent datapoints of $type, every time',
    async ({ count, type, requests }) => {
      const width = REGISTERS_OF[type as ValueType]
      const points = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`p${index}`, { register: index * width, type }]),
      )
      const driver = await bench.open(points)
      for (let turn = 0; turn < 2; turn += 1) {
        const asked = bench.serveCountingRegisters()
        const readings = await driver.read(Object.keys(points))
        expect(asked).toHaveLength(requests)
        if (width === 1) expect(readings).toEqual(Array.from({ length: count }, (_, index) => ({ raw: index })))
      }
    },
  )

  test('reads all four tables', async () => {
    const driver = await bench.open({
      coil: { register: 3, table: 'coil' },
      discrete: { register: 9, table: 'discrete', accessType: 'READ' },
      holding: { register: 0, type: 'int16' },
      input: { register: 0, type: 'int16', table: 'input', accessType: 'READ' },
    })
    const values: Record<number, number[]> = { 1: [1, 0b1], 2: [1, 0b0], 3: [2, 0xff, 0xfe], 4: [2, 0, 7] }
    bench.peer.serve((request) => request.answer([request.functionCode, ...(values[request.functionCode] ?? [])]))
    expect(await driver.read(['coil', 'discrete', 'holding', 'input'])).toEqual([
      { raw: 1 },
      { raw: 0 },
      { raw: -2 },
      { raw: 7 },
    ])
  })

  test('decodes each coil from its byte', async () => {
    const driver = await bench.open({ first: { register: 5, table: 'coil' }, later: { register: 14, table: 'coil' } })
    const reading = driver.read(['first', 'later'])
    const request = await bench.peer.next()
    expect([request.address, request.count]).toEqual([5, 10])
    request.answer([1, 2, 0b0000_0000, 0b0000_0010])
    expect(await reading).toEqual([{ raw: 0 }, { raw: 1 }])
  })

  test('keeps 64-bit values exact', async () => {
    const driver = await bench.open({ energy: { register: 0, type: 'uint64' } })
    const reading = driver.read(['energy'])
    ;(await bench.peer.next()).answerRegisters(0x0020, 0, 0, 1)
    expect(await reading).toEqual([{ raw: 9007199254740993n }])
  })

  test('reports a register that holds no number as an error, with an image of its content', async () => {
    const driver = await bench.open({ volts: { register: 0, type: 'float32' } })
    const reading = driver.read(['volts'])
    ;(await bench.peer.next()).answerRegisters(0x7fc0, 0x1234)
    expect(await reading).toEqual([{ error: 'the register holds NaN', image: '7fc01234' }])
  })

  test('reads a WRITE point too, and reports an unknown one without a request', async () => {
    const driver = await bench.open({ command: { register: 7, type: 'int16', accessType: 'WRITE' } })
    const asked = bench.serveCountingRegisters()
    expect(await driver.read(['command', 'stranger'])).toEqual([
      { raw: 7 },
      { error: 'stranger is not a datapoint of this connection' },
    ])
    expect(asked).toEqual([[7, 1]])
  })

  test('accepts an answer that arrives byte by byte', async () => {
    const driver = await bench.open(POWER)
    const reading = driver.read(['power'])
    const request = await bench.peer.next()
    for (const byte of request.frame([3, 2, 0, 42])) {
      await new Promise<void>((resolve) => request.socket.write(Uint8Array.of(byte), () => resolve()))
    }
    expect(await reading).toEqual([{ raw: 42 }])
  })
})

describe('writing', () => {
  const bodyOf = ({ functionCode, body }: PeerRequest) => Buffer.concat([Buffer.of(functionCode), body]).toString('hex')

  test.each([
    [{ register: 100, type: 'int16' }, -250, '060064ff06'],
    [{ register: 100, type: 'int16', writeFunction: 16 }, -250, '1000640001' + '02ff06'],
    [{ register: 100, type: 'float32', wordOrder: 'CDAB' }, 1.5, '1000640002' + '0400003fc0'],
    [{ register: 100, type: 'uint64' }, 9007199254740993n, '1000640004' + '080020000000000001'],
    [{ register: 7, table: 'coil' }, 1, '050007ff00'],
    [{ register: 7, table: 'coil' }, 0, '0500070000'],
    [{ register: 7, table: 'coil', writeFunction: 15 }, 1, '0f00070001' + '0101'],
  ])('%j of %s sends %s', async (data, raw, wire) => {
    const driver = await bench.open({ point: data })
    const writing = driver.write('point', raw)
    const request = await bench.peer.next()
    expect(bodyOf(request)).toBe(wire)
    request.answer([request.functionCode, ...request.body.subarray(0, 4)])
    await writing
  })

  test('rejects a value that does not fit before anything is sent', async () => {
    const driver = await bench.open(POWER)
    await expect(driver.write('power', 40_000)).rejects.toThrow('40000 does not fit int16')
    const reading = driver.read(['power'])
    const request = await bench.peer.next()
    expect(request.functionCode).toBe(3)
    request.answerRegisters(1)
    await reading
  })

  test('rejects a read-only point', async () => {
    const driver = await bench.open({ meter: { register: 0, type: 'int16', accessType: 'READ' } })
    await expect(driver.write('meter', 1)).rejects.toThrow('meter can only be read')
  })

  test.each([
    [{ register: 100, type: 'float32', wordOrder: 'CDAB' }, '7fc01234', '1000640002' + '047fc01234'],
    [{ register: 100, type: 'bool' }, '0102', '0600640102'],
    [{ register: 100, type: 'bool', writeFunction: 16 }, '0102', '1000640001' + '020102'],
  ])('%j of the image %s sends %s', async (data, image, wire) => {
    const driver = await bench.open({ point: data })
    const writing = driver.write('point', { image })
    const request = await bench.peer.next()
    expect(bodyOf(request)).toBe(wire)
    request.answer([request.functionCode, ...request.body.subarray(0, 4)])
    await writing
  })

  test.each([
    ['power', '', 'the image "" does not fit int16: it must have 2 bytes in hexadecimal'],
    ['power', '00ff00', 'the image "00ff00" does not fit int16: it must have 2 bytes in hexadecimal'],
    ['power', '00fg', 'the image "00fg" does not fit int16: it must have 2 bytes in hexadecimal'],
    ['relay', '01', 'relay is a coil: it has no image'],
    ['meter', '0001', 'meter can only be read'],
  ])('rejects for %s the image %j', async (id, image, message) => {
    const driver = await bench.open({
      ...POWER,
      relay: { register: 7, table: 'coil' },
      meter: { register: 0, type: 'int16', accessType: 'READ' },
    })
    await expect(driver.write(id, { image })).rejects.toThrow(new Failure('rejected', message))
  })

  test("rejects with the equipment's exception", async () => {
    const driver = await bench.open(POWER)
    const writing = driver.write('power', 1)
    ;(await bench.peer.next()).answer([0x86, 3])
    await expect(writing).rejects.toThrow('power: exception 3: illegal data value')
  })

  test('does not accept the confirmation of another value', async () => {
    const driver = await bench.open(POWER)
    const writing = driver.write('power', 1)
    ;(await bench.peer.next()).answer([6, 0, 100, 0, 2])
    await expect(writing).rejects.toThrow('sent an answer that does not fit the request')
  })
})

describe('the nearest value', () => {
  const POINTS: Points = {
    power: { register: 0, type: 'int16' },
    energy: { register: 2, type: 'uint64' },
    relay: { register: 7, table: 'coil' },
    meter: { register: 9, type: 'int16', accessType: 'READ' },
  }

  test('is known without a link', () => {
    const driver = bench.protocol.connect(bench.connection(POINTS))
    expect(driver.nearest('power', -21.5)).toBe(-22)
    expect(driver.nearest('energy', 21.5)).toBe(22n)
    expect(driver.nearest('relay', 1)).toBe(1)
  })

  test.each([
    ['power', 40_000, '40000 does not fit int16: it holds whole numbers from -32768 to 32767'],
    ['relay', 2, '2 does not fit bool: only 0 and 1 do'],
    ['meter', 1, 'meter can only be read'],
    ['stranger', 1, 'stranger is not a datapoint of this connection'],
  ])('does not exist in %s for %d, and the message says why', (id, raw, message) => {
    const driver = bench.protocol.connect(bench.connection(POINTS))
    expect(() => driver.nearest(id, raw)).toThrow(new Failure('rejected', message))
  })
})

describe('the protocol', () => {
  test('lists the errors of a connection, and creates no driver for it', () => {
    const connection = bench.connection({ bad: { register: -1, type: 'int16' } })
    expect(bench.protocol.check(connection)).toEqual([
      { path: 'datapoints[0].data.register', message: '-1 must be a whole number from 0 to 65535' },
    ])
    expect(() => bench.protocol.connect(connection)).toThrow('datapoints[0].data.register: -1 must be')
  })

  test('names the registers behind each writable datapoint', () => {
    const connection = bench.connection(
      {
        power: { register: 10, type: 'int16' },
        limit: { register: 20, type: 'float32', wordOrder: 'CDAB' },
        relay: { register: 7, table: 'coil', writeFunction: 15 },
        meter: { register: 0, type: 'int16', accessType: 'READ' },
      },
      { host: 'Inverter.Example', port: 1502, unitId: 9 },
    )
    const equipment = { host: 'inverter.example', port: 1502, unitId: 9 }
    const space = 'modbus-tcp inverter.example:1502/9'
    const [power, limit, relay, meter] = bench.protocol.targets(connection)
    expect(power).toMatchObject({ space: `${space}/holding`, start: 10, end: 11, name: 'holding register 10' })
    expect(limit).toMatchObject({ space: `${space}/holding`, start: 20, end: 22, name: 'holding registers 20 to 21' })
    expect(relay).toMatchObject({ space: `${space}/coil`, start: 7, end: 8, name: 'coil 7' })
    expect(meter).toBeUndefined()
    const defaults = { wordOrder: 'ABCD', bit: null, writeFunction: 6 }
    expect(JSON.parse(power?.identity ?? '')).toEqual({
      ...{ ...equipment, table: 'holding', register: 10, type: 'int16', ...defaults },
    })
  })

  test('gives equivalent settings the same identity', () => {
    const identityOf = (data: Record<string, unknown>, settings: Record<string, unknown> = {}) =>
      bench.protocol.targets(bench.connection({ point: { register: 1, type: 'int16', ...data } }, settings))[0]
        ?.identity
    const usual = identityOf({})
    expect(identityOf({ wordOrder: 'ABCD', table: 'holding', writeFunction: 6 }, { unitId: 1, timeoutMs: 99 })).toBe(
      usual,
    )
    expect(identityOf({ writeFunction: 16 })).not.toBe(usual)
    expect(identityOf({ type: 'uint16' })).not.toBe(usual)
    expect(identityOf({}, { unitId: 2 })).not.toBe(usual)
  })
})
