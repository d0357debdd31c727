import { systemClock } from '@plantroom/base/clock'
import { describe, expect, test } from 'vitest'
import { parseConfig as parse } from './config.ts'
import { createTcpMedium } from './tcp.ts'

const medium = createTcpMedium({ clock: systemClock })
const parseConfig = (connection: Parameters<typeof parse>[0]) => parse(connection, medium)

const point = (data: Record<string, unknown>, accessType = 'READ') => ({ name: 'Power', accessType, data })
const settings = { host: '10.0.0.5' }

const problemsOf = (...datapoints: ReturnType<typeof point>[]) => parseConfig({ settings, datapoints }).problems

describe('the settings of a connection', () => {
  test('require only a host', () => {
    expect(parseConfig({ settings, datapoints: [] })).toEqual({
      problems: [],
      config: {
        address: { host: '10.0.0.5', port: 502 },
        settings: {
          unitId: 1,
          timeoutMs: 1000,
          connectDelayMs: 0,
          interFrameDelayMs: 0,
          maxRegistersPerRead: 125,
          maxGap: 8,
        },
        points: [],
      },
    })
  })

  test('list all errors together, with value and rule', () => {
    const { problems } = parseConfig({
      settings: {
        port: 70_000,
        unitId: '3',
        timeoutMs: 0,
        connectDelayMs: -1,
        interFrameDelayMs: 0.5,
        maxRegistersPerRead: 126,
        maxGap: null,
        pollSeconds: 0,
        baudRate: 9600,
      },
      datapoints: [],
    })
    expect(problems).toEqual([
      { path: 'settings.host', message: 'is missing: it must be text without spaces' },
      { path: 'settings.port', message: '70000 must be a whole number from 1 to 65535' },
      { path: 'settings.unitId', message: '"3" must be a whole number from 0 to 255' },
      { path: 'settings.timeoutMs', message: '0 must be a whole number from 1 to 60000' },
      { path: 'settings.connectDelayMs', message: '-1 must be a whole number from 0 to 60000' },
      { path: 'settings.interFrameDelayMs', message: '0.5 must be a whole number from 0 to 10000' },
      { path: 'settings.maxRegistersPerRead', message: '126 must be a whole number from 1 to 125' },
      { path: 'settings.maxGap', message: 'null must be a whole number from 0 to 124' },
      { path: 'settings.pollSeconds', message: '0 must be a number from 0.1 to 86400' },
      {
        path: 'settings.baudRate',
        message:
          'is not a known field; known fields: host, port, unitId, timeoutMs, connectDelayMs, interFrameDelayMs, maxRegistersPerRead, maxGap, pollSeconds',
      },
    ])
  })

  test.each([0, 255])('accept unit id %i', (unitId) => {
    expect(parseConfig({ settings: { ...settings, unitId }, datapoints: [] }).problems).toEqual([])
  })
})

describe('a datapoint', () => {
  test('defaults to a big-endian holding register', () => {
    const { config, problems } = parseConfig({ settings, datapoints: [point({ register: 100, type: 'int16' })] })
    expect(problems).toEqual([])
    expect(config.points).toEqual([
      {
        name: 'Power',
        writable: false,
        table: 'holding',
        register: 100,
        width: 1,
        type: 'int16',
        wordOrder: 'ABCD',
        bit: undefined,
        writeFunction: 6,
      },
    ])
  })

  test.each([
    [{ register: 0, type: 'int16' }, 6],
    [{ register: 0, type: 'int16', writeFunction: 16 }, 16],
    [{ register: 0, type: 'float32' }, 16],
    [{ register: 0, table: 'coil' }, 5],
    [{ register: 0, table: 'coil', type: 'bool', writeFunction: 15 }, 15],
  ])('%j is written with function %i', (data, writeFunction) => {
    const { config, problems } = parseConfig({ settings, datapoints: [point(data, 'READ_WRITE')] })
    expect(problems).toEqual([])
    expect(config.points[0]?.writeFunction).toBe(writeFunction)
  })

  test('lists its errors with their paths', () => {
    expect(
      problemsOf(
        point({ register: 1, type: 'int16' }),
        point({}),
        point({
          register: 65_536,
          type: 'int24',
          table: 'Holding',
          wordOrder: 'AB',
          bit: 16,
          writeFunction: 3,
          unit: 'kW',
        }),
      ),
    ).toEqual([
      { path: 'datapoints[1].data.register', message: 'is missing: it must be a whole number from 0 to 65535' },
      {
        path: 'datapoints[1].data.type',
        message: 'is missing: it must be one of: int16, uint16, int32, uint32, int64, uint64, float32, float64, bool',
      },
      { path: 'datapoints[2].data.register', message: '65536 must be a whole number from 0 to 65535' },
      { path: 'datapoints[2].data.table', message: 'Holding must be one of: holding, input, coil, discrete' },
      {
        path: 'datapoints[2].data.type',
        message: 'int24 must be one of: int16, uint16, int32, uint32, int64, uint64, float32, float64, bool',
      },
      { path: 'datapoints[2].data.wordOrder', message: 'AB must be one of: ABCD, CDAB, BADC, DCBA' },
      { path: 'datapoints[2].data.bit', message: '16 must be a whole number from 0 to 15' },
      { path: 'datapoints[2].data.writeFunction', message: '3 must be one of: 5, 6, 15, 16' },
      {
        path: 'datapoints[2].data.unit',
        message: 'is not a known field; known fields: register, table, type, wordOrder, bit, writeFunction',
      },
    ])
  })

  test.each([
    [
      { register: 0, type: 'int16', table: 'input' },
      'READ_WRITE',
      'table',
      'input can only be read, but the datapoint is READ_WRITE',
    ],
    [{ register: 0, table: 'discrete' }, 'WRITE', 'table', 'discrete can only be read, but the datapoint is WRITE'],
    [
      { register: 0, type: 'float32', table: 'coil' },
      'READ',
      'type',
      'float32 is not valid for table coil: its values are of type bool',
    ],
    [{ register: 0, table: 'coil', bit: 1 }, 'READ', 'bit', '1 has no meaning in table coil: each address is one bit'],
    [
      { register: 0, table: 'coil', wordOrder: 'CDAB' },
      'READ',
      'wordOrder',
      'CDAB has no meaning in table coil: it has no registers',
    ],
    [
      { register: 65_535, type: 'uint32' },
      'READ',
      'register',
      '65535 leaves no room for uint32: it takes 2 registers up to 65535',
    ],
    [
      { register: 65_533, type: 'float64' },
      'READ',
      'register',
      '65533 leaves no room for float64: it takes 4 registers up to 65535',
    ],
    [
      { register: 0, type: 'uint32', bit: 3 },
      'READ',
      'bit',
      '3 needs a 16-bit type (int16, uint16 or bool), not uint32',
    ],
    [
      { register: 0, type: 'uint16', bit: 3 },
      'READ_WRITE',
      'bit',
      '3 can only be read: writing it would overwrite the rest of the register',
    ],
    [
      { register: 0, type: 'int32', writeFunction: 6 },
      'READ_WRITE',
      'writeFunction',
      '6 is not valid for type int32: must be one of: 16',
    ],
    [
      { register: 0, type: 'int16', writeFunction: 5 },
      'READ_WRITE',
      'writeFunction',
      '5 is not valid for type int16: must be one of: 6, 16',
    ],
    [
      { register: 0, table: 'coil', writeFunction: 16 },
      'READ_WRITE',
      'writeFunction',
      '16 is not valid for table coil: must be one of: 5, 15',
    ],
  ])('%j with access %s is rejected at %s', (data, accessType, field, message) => {
    expect(problemsOf(point(data, accessType))).toEqual([{ path: `datapoints[0].data.${field}`, message }])
  })

  test.each([
    { register: 65_535, type: 'int16' },
    { register: 65_532, type: 'uint64' },
    { register: 7, type: 'uint16', bit: 15 },
    { register: 7, type: 'bool', table: 'input', bit: 0 },
  ])('%j is valid', (data) => {
    expect(problemsOf(point(data))).toEqual([])
  })

  test('must fit in one request', () => {
    const { problems } = parseConfig({
      settings: { ...settings, maxRegistersPerRead: 2 },
      datapoints: [point({ register: 0, type: 'float32' }), point({ register: 2, type: 'float64' })],
    })
    expect(problems).toEqual([
      { path: 'datapoints[1].data.type', message: 'float64 takes 4 registers, but settings.maxRegistersPerRead is 2' },
    ])
  })
})
