import type {
  CommissionedConnection,
  CommissionedDatapoint,
  CommissioningFile,
} from '@plantroom/contract/commissioning'
import { IDENTITY_SCALER } from '@plantroom/contract/datapoint'
import { endpointOf } from '@plantroom/contract/endpoint'
import { PROTOCOLS } from '@plantroom/contract/protocols'
import { createProtocols } from '@plantroom/drivers/protocols'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { checkFile } from './commissioning-file.ts'
import { toConnections } from './to-connection.ts'

const protocols = createProtocols(createManualClock())

const point = (about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  name: 'Power',
  accessType: 'READ',
  data: { register: 1, type: 'int16' },
  ...about,
})
const inverter = (about: Partial<CommissionedConnection> = {}): CommissionedConnection => ({
  name: 'Inverter',
  protocol: 'modbus-tcp',
  settings: { host: '10.0.0.5' },
  datapoints: [point()],
  ...about,
})
const file = (...connections: CommissionedConnection[]): CommissioningFile => ({ technicalSystem: 'Roof', connections })

function mistakesOf(document: object): string[] {
  const checked = checkFile(document, protocols)
  return 'problems' in checked ? checked.problems.map(({ path, message }) => `${path}: ${message}`) : []
}

describe('a valid file', () => {
  test.each<[string, CommissioningFile]>([
    ['with a connection of each protocol', file(inverter(), mqtt(), obix())],
    ['without connections', file()],
    ['with a connection without datapoints', file(inverter({ datapoints: [] }))],
  ])('%s passes unchanged', (_what, document) => {
    expect(checkFile(document, protocols)).toEqual({ file: document })
  })
})

describe('the problems of a file', () => {
  test('are all problems of its shape, with their paths', () => {
    const document = {
      technicalSystem: ' ',
      connections: [
        {
          name: 'Inverter',
          protocol: 'bacnet',
          settings: {},
          datapoints: [{ ...point(), writeInterval: -1, colour: 'red' }],
        },
        { name: 7, protocol: 'obix', settings: null, datapoints: [point({ accessType: 'ALL' as never }), 'x'] },
        {
          protocol: 'mqtt',
          settings: {},
          datapoints: [point({ writeInterval: 1e6, scaler: { inputValue1: 0 } as never })],
        },
        { name: 'x'.repeat(256), protocol: 'mqtt', settings: {}, datapoints: [] },
      ],
      peakShaving: { meter: '', loads: [], limitKw: Number.NaN, cycleSeconds: 1, hourlyLimitsKw: [1] },
      'a/b~c': 1,
    }
    expect(mistakesOf(document).sort()).toEqual(
      [
        'a/b~c: is not a known field',
        'technicalSystem: must not be blank',
        `connections[0].protocol: must be one of: ${PROTOCOLS.join(', ')}`,
        'connections[0].datapoints[0].writeInterval: must be at least 0',
        'connections[0].datapoints[0].colour: is not a known field',
        'connections[1].name: must be of type string',
        'connections[1].settings: must be of type object',
        'connections[1].datapoints[0].accessType: must be one of: READ, READ_WRITE, WRITE',
        'connections[1].datapoints[1]: must be of type object',
        'connections[2].name: is missing',
        'connections[2].datapoints[0].writeInterval: must be at most 86400',
        'connections[2].datapoints[0].scaler.outputValue1: is missing',
        'connections[2].datapoints[0].scaler.inputValue2: is missing',
        'connections[2].datapoints[0].scaler.outputValue2: is missing',
        'connections[3].name: must have at most 255 characters',
        'peakShaving.meter: must have at least 1 character',
        'peakShaving.limitKw: must be a finite number',
        'peakShaving.hourlyLimitsKw: must have at least 24 items',
        'peakShaving.cycleSeconds: must be at least 10',
      ].sort(),
    )
  })

  test('are the problems of its content and those that the drivers find, together', () => {
    const document = file(
      inverter({
        settings: { host: '10.0.0.5', unitId: 256 },
        datapoints: [point(), point({ data: { register: -1 } })],
      }),
      obix({ name: 'Inverter', settings: { url: 'ftp://10.0.0.6' } }),
    )
    expect(mistakesOf(document)).toEqual([
      'connections[0].datapoints[1].name: "Power" is already the name of connections[0].datapoints[0]',
      'connections[1].name: "Inverter" is already the name of connections[0]',
      'connections[0].settings.unitId: 256 must be a whole number from 0 to 255',
      'connections[0].datapoints[1].data.register: -1 must be a whole number from 0 to 65535',
      expect.stringMatching(/^connections\[0\]\.datapoints\[1\]\.data\.type: is missing/),
      expect.stringMatching(/^connections\[1\]\.settings\.url: /),
    ])
  })

  test.each([[{}], [{ technicalSystem: 'Roof', connections: {} }], [{ connections: [null] }]])(
    'are reported for an almost empty file: %j',
    (document) => {
      expect(mistakesOf(document).length).toBeGreaterThan(0)
    },
  )

  test('include two datapoints that write the same address', () => {
    const writable = (name: string) => point({ name, accessType: 'READ_WRITE', data: { register: 7, type: 'int16' } })
    expect(mistakesOf(file(inverter({ datapoints: [writable('A'), writable('B')] })))).toEqual([
      expect.stringMatching(/^connections\[0\]\.datapoints\[1\]\.data: B writes holding register 7, and A at/),
    ])
  })

  test('are found in a file with ten thousand datapoints', () => {
    const datapoints = Array.from({ length: 10_000 }, (_, index) => point({ name: `P${index}`, data: {} }))
    expect(mistakesOf(file(inverter({ datapoints })))).toHaveLength(20_000)
  })
})

function mqtt(): CommissionedConnection {
  const datapoints = [point({ data: { stateTopic: 'hp/flow' } })]
  return { name: 'Heat pump', protocol: 'mqtt', settings: { url: 'mqtt://10.0.0.7' }, datapoints }
}

function obix(about: Partial<CommissionedConnection> = {}): CommissionedConnection {
  const datapoints = [point({ data: { href: 'points/supply/' } })]
  return { name: 'AHU', protocol: 'obix', settings: { url: 'http://10.0.0.6/obix/' }, datapoints, ...about }
}

const converted = (settings: Record<string, unknown>, about: Partial<CommissionedConnection> = {}) => {
  const connection: CommissionedConnection = { name: 'A', protocol: 'mqtt', settings, datapoints: [], ...about }
  const [first] = toConnections({ technicalSystem: 'Roof', connections: [connection] })
  if (!first) throw new Error('nothing was laid out')
  return first
}

describe('the endpoint', () => {
  test('of BACnet has its own port, and is the device where that is looked for', () => {
    expect(endpointOf(converted({ host: '10.0.0.5' }, { protocol: 'bacnet-ip' }))).toBe('10.0.0.5:47808')
    expect(endpointOf(converted({ deviceInstance: 7 }, { protocol: 'bacnet-ip' }))).toBe('device 7')
  })

  test.each<[Record<string, unknown>, string]>([
    [{ host: '10.0.0.5' }, '10.0.0.5:502'],
    [{ host: 'meter.local', port: 1502 }, 'meter.local:1502'],
    [{ host: 'fe80::1' }, '[fe80::1]:502'],
    [{ path: '/dev/ttyUSB0', unitId: 3 }, '/dev/ttyUSB0'],
    [{ url: 'mqtt://10.0.0.7' }, '10.0.0.7:1883'],
    [{ url: 'mqtts://10.0.0.7' }, '10.0.0.7:8883'],
    [{ url: 'http://ahu/obix/' }, 'ahu:80'],
    [{ url: 'https://ahu:8443/obix/' }, 'ahu:8443'],
    [{ url: 'https://[::1]/obix/' }, '[::1]:443'],
    [{ url: 'mqtt://user:secret@10.0.0.7' }, '10.0.0.7:1883'],
  ])('%j is %s', (settings, endpoint) => {
    expect(endpointOf(converted(settings))).toBe(endpoint)
  })
})

describe('a converted connection', () => {
  test('has no client id, so that the running device does not lose its link', () => {
    expect(converted({ url: 'mqtt://b', clientId: 'controller' }).settings).toEqual({ url: 'mqtt://b' })
  })

  test('has the release values of its datapoints', () => {
    const datapoints = [{ name: 'Valve', accessType: 'WRITE' as const, releaseValue: 0, data: {} }]
    expect(converted({}, { datapoints }).datapoints).toMatchObject([{ releaseValue: 0 }])
  })

  test('has a scaler for each datapoint', () => {
    const scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 10 }
    const { datapoints } = converted(
      {},
      {
        datapoints: [
          { name: 'Plain', accessType: 'READ', data: {} },
          { name: 'Scaled', accessType: 'READ', data: {}, scaler },
        ],
      },
    )
    expect(datapoints.map(({ name, scaler }) => [name, scaler])).toEqual([
      ['Plain', IDENTITY_SCALER],
      ['Scaled', scaler],
    ])
    expect(new Set(datapoints.map(({ id }) => id)).size).toBe(2)
  })
})
