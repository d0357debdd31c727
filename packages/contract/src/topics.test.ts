import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  batchFilters,
  cloudFilters,
  deviceFilters,
  devicePublishes,
  deviceSubscribes,
  forAllFilters,
  parseCloudAlive,
  parseCloudTopic,
  parseDeviceTopic,
  statusFilter,
  topics,
} from './topics.ts'

const level = fc.stringMatching(/^[A-Za-z0-9_-]{1,30}$/)
const status = fc.constantFrom('ok' as const, 'rejected' as const)

/** Does an MQTT filter match a topic? As the specification of MQTT 3.1.1 says it, 4.7. */
function matches(filter: string, topic: string): boolean {
  const wanted = filter.split('/')
  const given = topic.split('/')
  const many = wanted.indexOf('#')
  const count = many === -1 ? wanted.length : many
  if (many === -1 ? given.length !== count : given.length < count) return false
  return wanted.slice(0, count).every((part, index) => part === '+' || part === given[index])
}

describe('a topic', () => {
  test('from a device parses back into its parts', () => {
    fc.assert(
      fc.property(level, level, level, status, (deviceId, cloudId, correlationId, outcome) => {
        const reply = { kind: 'reply', deviceId, correlationId, status: outcome }
        expect(parseDeviceTopic(topics.reply(deviceId, cloudId, correlationId, outcome))).toEqual(reply)
        expect(parseDeviceTopic(topics.status(deviceId))).toEqual({ kind: 'status', deviceId })
        for (const kind of ['reports', 'measurements', 'broadcast', 'health', 'state'] as const) {
          expect(parseDeviceTopic(topics[kind](deviceId))).toEqual({ kind, deviceId })
        }
        const askTime = { kind: 'askTime', deviceId, asked: correlationId }
        expect(parseDeviceTopic(topics.askTime(deviceId, correlationId))).toEqual(askTime)
      }),
    )
  })

  test('from the cloud parses back into its parts', () => {
    fc.assert(
      fc.property(level, level, level, level, (deviceId, command, cloudId, correlationId) => {
        const topic = topics.command(deviceId, command, cloudId, correlationId)
        expect(parseCloudTopic(topic)).toEqual({ kind: 'command', command, cloudId, correlationId })
        expect(parseCloudTopic(topics.time(deviceId, command))).toEqual({ kind: 'time', asked: command })
        expect(parseCloudTopic(topics.hello())).toEqual({ kind: 'hello' })
        const confirm = { kind: 'confirm', what: 'reports', upTo: command.length }
        expect(parseCloudTopic(topics.confirm(deviceId, 'reports', command.length))).toEqual(confirm)
      }),
    )
  })

  test('from the cloud reaches only the device it is for', () => {
    fc.assert(
      fc.property(level, level, level, level, (deviceId, other, cloudId, correlationId) => {
        const sent = [
          topics.command(deviceId, 'commission', cloudId, correlationId),
          topics.time(deviceId, '17'),
          topics.confirm(deviceId, 'measurements', 17),
        ]
        for (const topic of sent) {
          const reaches = (id: string) => deviceFilters(id).some((filter) => matches(filter, topic))
          expect(reaches(deviceId)).toBe(true)
          if (other !== deviceId) expect(reaches(other)).toBe(false)
        }
      }),
    )
  })

  test('of a reply reaches only the cloud process that asked', () => {
    const topic = topics.reply('dev_1', 'cloud_1', 'c1', 'ok')
    expect(cloudFilters('cloud_1').filter((filter) => matches(filter, topic))).toHaveLength(1)
    expect(cloudFilters('cloud_2').filter((filter) => matches(filter, topic))).toHaveLength(0)
  })

  test.each([
    topics.status('dev_1'),
    topics.askTime('dev_1', '5'),
    topics.reports('dev_1'),
    topics.measurements('dev_1'),
    topics.broadcast('dev_1'),
    topics.cloudAlive('cloud_2'),
  ])('%s matches one filter of a cloud process', (topic) => {
    const filters = [...cloudFilters('cloud_1'), statusFilter, ...forAllFilters, ...batchFilters]
    expect(filters.filter((filter) => matches(filter, topic))).toHaveLength(1)
  })

  test('between cloud processes is no message of a device, nor to one', () => {
    fc.assert(
      fc.property(level, (cloudId) => {
        expect(parseCloudAlive(topics.cloudAlive(cloudId))).toBe(cloudId)
        for (const topic of [topics.cloudAlive(cloudId), topics.cloudProbe(cloudId, 'question')]) {
          expect([parseDeviceTopic(topic), parseCloudTopic(topic)]).toEqual([undefined, undefined])
          expect(devicePublishes('cloud', topic)).toBe(false)
          expect(deviceSubscribes('cloud', topic)).toBe(false)
        }
      }),
    )
    expect(parseCloudAlive(topics.status('cloud'))).toBeUndefined()
    expect(parseCloudAlive('plantroom/cloud/cloud_1/alive/more')).toBeUndefined()
  })
})

describe('a device may publish', () => {
  test.each([topics.status('dev_1'), topics.reply('dev_1', 'cloud_1', 'c1', 'ok'), topics.askTime('dev_1', '5')])(
    'to its own %s',
    (topic) => {
      expect(devicePublishes('dev_1', topic)).toBe(true)
    },
  )

  test.each([
    ['as another device', topics.status('dev_2')],
    ['as one whose id begins with its own', topics.status('dev_12')],
    ['as one whose id its own begins with', topics.status('dev_')],
    ['a command to itself', topics.command('dev_1', 'commission', 'cloud_1', 'c1')],
    ['a command to another device', topics.command('dev_2', 'commission', 'cloud_1', 'c1')],
    ['the time', topics.time('dev_1', '5')],
    ['the hello of the cloud', topics.hello()],
    ['for any device', 'plantroom/+/status'],
    ['for all devices', 'plantroom/#'],
    ['below $SYS', '$SYS/broker/uptime'],
    ['below a root with an empty level before it', '/plantroom/dev_1/status'],
    ['with an empty level for the device', 'plantroom//status'],
    ['with an empty level before the kind', 'plantroom/dev_1//status'],
    ['to its own root', 'plantroom/dev_1'],
    ['below its status', 'plantroom/dev_1/status/more'],
    ['deeper than a reply', `${topics.reply('dev_1', 'cloud_1', 'c1', 'ok')}/more`],
    ['above a reply', 'plantroom/dev_1/reply/cloud_1'],
    ['to nothing', ''],
    ['in other letters', 'Plantroom/dev_1/status'],
  ])('nothing %s: %s', (_why, topic) => {
    expect(devicePublishes('dev_1', topic)).toBe(false)
  })
})

describe('a device may subscribe', () => {
  test('to its own filters', () => {
    for (const filter of deviceFilters('dev_1')) expect(deviceSubscribes('dev_1', filter)).toBe(true)
  })

  test.each([
    ['to everything', '#'],
    ['to everything of ours', 'plantroom/#'],
    ['to the commands of all devices', 'plantroom/+/command/#'],
    ['to the commands of another device', 'plantroom/dev_2/command/#'],
    ['to the replies of a device', 'plantroom/dev_1/reply/#'],
    ['to who is online', 'plantroom/+/status'],
    ['to the broker itself', '$SYS/#'],
    ['in turns with another', '$share/group/plantroom/dev_1/command/#'],
    ['to its own whole branch', 'plantroom/dev_1/#'],
    ['to nothing', ''],
  ])('not %s: %s', (_why, filter) => {
    expect(deviceSubscribes('dev_1', filter)).toBe(false)
  })

  test('to no filter that could match another device', () => {
    const part = fc.oneof(
      fc.constantFrom('plantroom', '+', '#', '', 'dev_1', 'dev_2', 'command', 'time', 'hello'),
      level,
    )
    const filters = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'))
    const foreign = [topics.command('dev_2', 'x', 'cloud_1', 'c1'), topics.time('dev_2', '5'), topics.status('dev_1')]
    fc.assert(
      fc.property(filters, (filter) => {
        if (!deviceSubscribes('dev_1', filter)) return
        expect(foreign.some((topic) => matches(filter, topic))).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('a foreign topic', () => {
  test.each([
    '',
    'plantroom',
    'plantroom/',
    'plantroom//status',
    'plantroom/dev_1',
    'plantroom/dev_1/status/more',
    'plantroom/dev_1/reply',
    'plantroom/dev_1/reply/cloud_1/c1',
    'plantroom/dev_1/reply/cloud_1//ok',
    'plantroom/dev_1/reply/cloud_1/c1/maybe',
    'plantroom/dev_1/ask-time',
    'plantroom/dev_1/ask-time/',
    'other/dev_1/status',
    '$SYS/dev_1/status',
  ])('is no message of a device: %j', (topic) => {
    expect(parseDeviceTopic(topic)).toBeUndefined()
  })

  test.each([
    '',
    'plantroom',
    'plantroom/hello/again',
    'plantroom/dev_1/command',
    'plantroom/dev_1/command/commission',
    'plantroom/dev_1/command/commission/cloud_1',
    'plantroom/dev_1/command//cloud_1/c1',
    'plantroom/dev_1/time',
    'plantroom/dev_1/time/',
    'other/dev_1/time/5',
  ])('is no message of the cloud: %j', (topic) => {
    expect(parseCloudTopic(topic)).toBeUndefined()
  })
})
