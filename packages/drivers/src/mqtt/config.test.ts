import { describe, expect, test } from 'vitest'
import { parseConfig } from './config.ts'

const settings = { url: 'mqtt://10.0.0.5:1884' }
const point = (data: Record<string, unknown>, accessType = 'READ_WRITE') => ({ name: 'Flow', accessType, data })
const TOPICS = { stateTopic: 'hp/flow', commandTopic: 'hp/flow/set' }

const problemsOfSettings = (record: Record<string, unknown>) =>
  parseConfig({ settings: record, datapoints: [] }).problems
const problemsOf = (...datapoints: ReturnType<typeof point>[]) => parseConfig({ settings, datapoints }).problems
const pointOf = (data: Record<string, unknown>, accessType?: string) => {
  const { config, problems } = parseConfig({ settings, datapoints: [point(data, accessType)] })
  expect(problems).toEqual([])
  return config.points[0]
}

describe('the settings of a connection', () => {
  test('require only the address of the broker', () => {
    expect(parseConfig({ settings, datapoints: [] })).toEqual({
      problems: [],
      config: {
        settings: {
          host: '10.0.0.5',
          port: 1884,
          tls: false,
          username: undefined,
          password: undefined,
          clientId: undefined,
          ca: undefined,
          keepAliveSeconds: 15,
          timeoutMs: 5000,
          availability: undefined,
        },
        points: [],
      },
    })
  })

  test.each([
    ['mqtt://broker', { host: 'broker', port: 1883, tls: false }],
    ['mqtts://broker/', { host: 'broker', port: 8883, tls: true }],
    ['mqtts://[fe80::1]:8884', { host: 'fe80::1', port: 8884, tls: true }],
  ])('accept the address %s', (url, broker) => {
    const { config, problems } = parseConfig({ settings: { url }, datapoints: [] })
    expect(problems).toEqual([])
    expect(config.settings).toMatchObject(broker)
  })

  test.each([
    'broker',
    'mqtt://',
    'http://broker',
    'ws://broker',
    'mqtt://broker/path',
    'mqtt://broker?x=1',
    'mqtt://broker:70000',
    '',
    1884,
    null,
  ])('reject the address %j', (url) => {
    expect(problemsOfSettings({ url })).toEqual([
      { path: 'settings.url', message: 'must be mqtt://host:port or mqtts://host:port' },
    ])
  })

  test('list all errors together', () => {
    expect(
      problemsOfSettings({
        clientId: '',
        ca: '/etc/ca.pem',
        password: 'secret',
        keepAliveSeconds: 0,
        timeoutMs: 70_000,
        pollSeconds: 0,
        availability: { online: 'up', offline: 'up', qos: 2 },
        broker: 'mqtt://x',
      }),
    ).toEqual([
      { path: 'settings.url', message: 'is missing: it must be mqtt://host:port or mqtts://host:port' },
      {
        path: 'settings.clientId',
        message: 'must be non-empty text without control characters; put a number in quotes',
      },
      { path: 'settings.keepAliveSeconds', message: '0 must be a whole number from 1 to 3600' },
      { path: 'settings.timeoutMs', message: '70000 must be a whole number from 1 to 60000' },
      { path: 'settings.availability.offline', message: 'must differ from online' },
      {
        path: 'settings.availability.qos',
        message: 'is not a known field; known fields: topic, path, online, offline',
      },
      { path: 'settings.availability.topic', message: 'is missing' },
      { path: 'settings.pollSeconds', message: '0 must be a number from 0.1 to 86400' },
      {
        path: 'settings.broker',
        message:
          'is not a known field; known fields: url, username, password, clientId, ca, keepAliveSeconds, timeoutMs, availability, pollSeconds',
      },
      { path: 'settings.password', message: 'requires a username' },
      { path: 'settings.ca', message: 'requires mqtts:// in url' },
    ])
  })

  test.each([
    { ...settings, username: 'edge', password: 12_345_678 },
    { ...settings, username: 'edge', password: '12345678\n' },
    { url: 'mqtt://edge:12345678@broker' },
    { url: 'mqtt://edge:12345678@broker/path' },
    { url: 'mqtt://edge:12345678@bro ker' },
    { url: 'http://edge:12345678@broker' },
    { ...settings, ca: ['12345678'] },
    { ...settings, availability: '12345678' },
  ])('are rejected without repeating a secret: %j', (record) => {
    const problems = problemsOfSettings(record)
    expect(problems).toHaveLength(1)
    expect(JSON.stringify(problems)).not.toContain('12345678')
  })

  test('may set the availability payloads', () => {
    const { config, problems } = parseConfig({
      settings: { ...settings, availability: { topic: 'hp/lwt', path: 'state', online: 'up', offline: 'down' } },
      datapoints: [],
    })
    expect(problems).toEqual([])
    expect(config.settings.availability).toMatchObject({ topic: 'hp/lwt', online: 'up', offline: 'down' })
  })
})

describe('the data of a datapoint', () => {
  test('needs a state topic to be read and a command topic to be written', () => {
    expect(problemsOf(point({}, 'READ'), point({}, 'WRITE'), point({}))).toEqual([
      { path: 'datapoints[0].data.stateTopic', message: 'is missing: the datapoint is READ' },
      { path: 'datapoints[1].data.commandTopic', message: 'is missing: the datapoint is WRITE' },
      { path: 'datapoints[2].data.stateTopic', message: 'is missing: the datapoint is READ_WRITE' },
      { path: 'datapoints[2].data.commandTopic', message: 'is missing: the datapoint is READ_WRITE' },
    ])
    expect(problemsOf(point({ stateTopic: 'a' }, 'READ'), point({ commandTopic: 'b' }, 'WRITE'))).toEqual([])
  })

  test('defaults to plain text at QoS 1, not retained', () => {
    expect(pointOf(TOPICS)).toEqual({
      name: 'Flow',
      state: { topic: 'hp/flow', path: undefined, switchValues: undefined, maxAgeMs: undefined },
      command: {
        topic: 'hp/flow/set',
        pieces: ['', ''],
        quoted: false,
        switchValues: undefined,
        decimals: undefined,
        qos: 1,
        retain: false,
      },
      availability: undefined,
    })
    expect(pointOf({ ...TOPICS, qos: 0, retain: true, decimals: 2, maxAgeSeconds: 60 })).toMatchObject({
      state: { maxAgeMs: 60_000 },
      command: { qos: 0, retain: true, decimals: 2 },
    })
  })

  test.each([
    [{ path: 'value' }, ['{"value":', '}']],
    [{ path: 'a.b' }, ['{"a":{"b":', '}}']],
    [{ path: 'value', commandPath: 'set["to.be"]' }, ['{"set":{"to.be":', '}}']],
    [{ path: 'list[0]', commandPath: 'value' }, ['{"value":', '}']],
    [{ path: 'value', commandTemplate: '{{value}}' }, ['', '']],
    [{ commandTemplate: '{"cmd":"set","v":{{value}}}' }, ['{"cmd":"set","v":', '}']],
    [{ commandTemplate: '{{value}} {{value}}' }, ['', ' ', '']],
  ])('%j puts %j around the value', (data, pieces) => {
    expect(pointOf({ ...TOPICS, ...data })?.command?.pieces).toEqual(pieces)
  })

  test.each([
    [{ stateTopic: 'hp/+' }, 'stateTopic', 'must be a single topic: + and # are wildcards'],
    [{ stateTopic: '#' }, 'stateTopic', 'must be a single topic: + and # are wildcards'],
    [{ commandTopic: 'hp/+/set' }, 'commandTopic', 'must be a single topic: + and # are wildcards'],
    [{ stateTopic: '$share/group/hp' }, 'stateTopic', 'must be a single topic: $share/ is a shared subscription'],
    [{ commandTopic: '$SYS/broker' }, 'commandTopic', 'begins with $SYS/: these topics belong to the broker'],
    [{ stateTopic: 'x'.repeat(65_536) }, 'stateTopic', 'must not be longer than 65535 bytes'],
    [{ stateTopic: 'a/'.repeat(200) }, 'stateTopic', 'must not have more than 200 levels'],
    [{ availabilityTopic: 'hp/#' }, 'availabilityTopic', 'must be a single topic: + and # are wildcards'],
    [{ stateTopic: 'hp/\u0000' }, 'stateTopic', 'must be non-empty text'],
    [{ stateTopic: '' }, 'stateTopic', 'must be non-empty text'],
    [{ stateTopic: 7 }, 'stateTopic', 'must be non-empty text'],
    [{ stateTopic: 'hp/\ud800' }, 'stateTopic', 'must be non-empty text'],
    [{ path: 'a..b' }, 'path', 'must be a path'],
    [{ path: 'list[0]' }, 'path', 'contains a list index'],
    [{ commandPath: 'list[0]' }, 'commandPath', 'contains a list index'],
    [{ commandTemplate: '{"v":1}' }, 'commandTemplate', 'must contain {{value}} in place of the value'],
    [{ commandTemplate: '{{value}}', commandPath: 'v' }, 'commandPath', 'cannot be combined with commandTemplate'],
    [{ qos: 2 }, 'qos', '2 must be one of: 0, 1'],
    [{ retain: 'yes' }, 'retain', 'must be true or false'],
    [{ maxAgeSeconds: 0 }, 'maxAgeSeconds', '0 must be a whole number from 1'],
    [{ decimals: 16 }, 'decimals', '16 must be a whole number from 0 to 15'],
    [{ on: 'ON' }, 'off', 'must be text, a number, true or false'],
    [{ on: 'ON', off: 'ON' }, 'off', 'must differ from on'],
    [{ on: 'ON', off: 'OFF', decimals: 1 }, 'decimals', 'cannot be combined with on and off'],
    [{ topic: 'hp' }, 'topic', 'is not a known field'],
    [
      { commandTopic: 'hp/flow' },
      'commandTopic',
      'is also a state or availability topic: commands would be read as the state of the equipment',
    ],
  ])('%j is rejected at %s', (data, field, message) => {
    expect(problemsOf(point({ ...TOPICS, ...data }))).toEqual([
      { path: `datapoints[0].data.${field}`, message: expect.stringContaining(message) },
    ])
  })

  test('may have a state topic for a WRITE point, but not one that is also a command topic', () => {
    expect(pointOf(TOPICS, 'WRITE')).toMatchObject({ state: { topic: 'hp/flow' }, command: { topic: 'hp/flow/set' } })
    expect(problemsOf(point({ stateTopic: 'hp/x', commandTopic: 'hp/x' }, 'WRITE'))).toEqual([
      {
        path: 'datapoints[0].data.commandTopic',
        message: expect.stringContaining('is also a state or availability topic'),
      },
    ])
  })

  test("may read the broker's own topics", () => {
    expect(problemsOf(point({ stateTopic: '$SYS/broker/uptime' }, 'READ'))).toEqual([])
  })

  test('may use a list index for a read-only point', () => {
    expect(problemsOf(point({ stateTopic: 'hp', path: 'list[0]' }, 'READ'))).toEqual([])
  })

  test('must not send to the state or availability topic of any datapoint', () => {
    const { problems } = parseConfig({
      settings: { ...settings, availability: { topic: 'hp/status' } },
      datapoints: [
        point({ stateTopic: 'hp/a' }, 'READ'),
        point({ commandTopic: 'hp/a' }, 'WRITE'),
        point({ commandTopic: 'hp/status' }, 'WRITE'),
      ],
    })
    expect(problems.map(({ path }) => path)).toEqual([
      'datapoints[1].data.commandTopic',
      'datapoints[2].data.commandTopic',
    ])
  })
})
