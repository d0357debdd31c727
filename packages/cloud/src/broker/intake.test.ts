import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { createIntake } from './intake.ts'

interface Batch {
  upTo: number
  poison?: boolean
}

/** An intake whose keeping ends when the test says so. */
function start() {
  const sent: string[] = []
  const logged: string[] = []
  const keeping: { batch: string; done(): void; fail(reason: string): void }[] = []
  const intake = createIntake<string>({
    what: 'reports',
    bus: { send: (_deviceId, topic) => void sent.push(topic) },
    log: createLog('test', 'warn', { write: (line) => void logged.push(line) }),
    judge(deviceId, batch) {
      const { upTo, poison } = (batch ?? {}) as Partial<Batch>
      if (upTo === undefined) return undefined
      return { kept: `${deviceId} ${upTo}`, upTo, leftOut: poison ? ['entry 3: no good', 'entry 4: no better'] : [] }
    },
    keep: (_deviceId, batch) =>
      new Promise((resolve, reject) => {
        keeping.push({ batch, done: resolve, fail: (reason) => reject(new Error(reason)) })
      }),
  })
  const send = (deviceId: string, batch: Batch | string) =>
    intake.receive(deviceId, Buffer.from(typeof batch === 'string' ? batch : JSON.stringify(batch)))
  const begun = () => keeping.map(({ batch }) => batch)
  return { intake, sent, logged, keeping, send, begun }
}

const confirmed = (deviceId: string, upTo: number) => topics.confirm(deviceId, 'reports', upTo)

describe('a batch', () => {
  test('is confirmed when it is kept, not before', async () => {
    const { sent, keeping, send } = start()
    send('dev_1', { upTo: 7 })
    await eventually(() => expect(keeping).toHaveLength(1))
    expect(sent).toEqual([])
    keeping[0]?.done()
    await eventually(() => expect(sent).toEqual([confirmed('dev_1', 7)]))
  })

  test('is kept after those that its device sent before', async () => {
    const { sent, keeping, send, begun } = start()
    for (const upTo of [1, 2, 3]) send('dev_1', { upTo })
    for (const count of [1, 2, 3]) {
      await eventually(() => expect(keeping).toHaveLength(count))
      keeping[count - 1]?.done()
    }
    await eventually(() => expect(sent).toEqual([1, 2, 3].map((upTo) => confirmed('dev_1', upTo))))
    expect(begun()).toEqual(['dev_1 1', 'dev_1 2', 'dev_1 3'])
  })

  test('of which something was left out is confirmed all the same, and the log says what', async () => {
    const { sent, logged, keeping, send } = start()
    send('dev_1', { upTo: 7, poison: true })
    await eventually(() => expect(keeping).toHaveLength(1))
    keeping[0]?.done()
    await eventually(() => expect(sent).toEqual([confirmed('dev_1', 7)]))
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { device: 'dev_1', what: 'reports', count: 2, first: 'entry 3: no good' },
    ])
  })

  test.each([
    ['is not JSON', '{"upTo":'],
    ['is empty', ''],
    ['is JSON and no batch', 'null'],
  ])('that %s is dropped without a confirmation, and does not hold up the next', async (_what, payload) => {
    const { sent, logged, keeping, send } = start()
    send('dev_1', payload)
    send('dev_1', { upTo: 1 })
    await eventually(() => expect(keeping).toHaveLength(1))
    keeping[0]?.done()
    await eventually(() => expect(sent).toEqual([confirmed('dev_1', 1)]))
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('no batch')
  })

  test('that cannot be kept is not confirmed, nor is what waits behind it; sent again, they are', async () => {
    const { sent, logged, keeping, send, begun } = start()
    send('dev_1', { upTo: 1 })
    send('dev_1', { upTo: 2 })
    await eventually(() => expect(keeping).toHaveLength(1))
    keeping[0]?.fail('the database is gone')
    await eventually(() => expect(logged[0]).toContain('the database is gone'))
    for (const upTo of [1, 2]) send('dev_1', { upTo })
    await eventually(() => expect(keeping).toHaveLength(2))
    keeping[1]?.done()
    await eventually(() => expect(keeping).toHaveLength(3))
    keeping[2]?.done()
    await eventually(() => expect(sent).toEqual([confirmed('dev_1', 1), confirmed('dev_1', 2)]))
    expect(begun()).toEqual(['dev_1 1', 'dev_1 1', 'dev_1 2'])
  })
})

describe('more than can be kept at a time', () => {
  test('of one device waits, and beyond three is dropped', async () => {
    const { intake, keeping, send, begun } = start()
    for (const upTo of [1, 2, 3, 4, 5, 6]) send('dev_1', { upTo })
    for (const count of [1, 2, 3, 4]) {
      await eventually(() => expect(keeping).toHaveLength(count))
      keeping[count - 1]?.done()
    }
    await intake.close()
    expect(begun()).toEqual([1, 2, 3, 4].map((upTo) => `dev_1 ${upTo}`))
  })

  test('of many devices is kept four at a time, and no device keeps the others waiting', async () => {
    const { keeping, send, begun } = start()
    for (const upTo of [1, 2, 3]) send('dev_0', { upTo })
    for (const device of [1, 2, 3, 4, 5]) send(`dev_${device}`, { upTo: 1 })
    await eventually(() => expect(begun()).toEqual(['dev_0 1', 'dev_1 1', 'dev_2 1', 'dev_3 1']))
    keeping[0]?.done()
    keeping[1]?.done()
    await eventually(() => expect(keeping).toHaveLength(6))
    expect(begun().slice(4).toSorted()).toEqual(['dev_0 2', 'dev_4 1'])
  })

  test('in bytes is dropped, until there is room again', async () => {
    const { intake, keeping, send, begun } = start()
    const large = (upTo: number) => JSON.stringify({ upTo, filling: 'x'.repeat(20 * 1024 * 1024) })
    for (const device of [1, 2, 3, 4]) send(`busy_${device}`, { upTo: 1 })
    for (const device of [1, 2, 3, 4]) send(`dev_${device}`, large(1))
    for (const place of [0, 1, 2, 3]) keeping[place]?.done()
    await eventually(() => expect(keeping).toHaveLength(7))
    for (const place of [4, 5, 6]) keeping[place]?.done()
    send('dev_4', large(2))
    await eventually(() => expect(keeping).toHaveLength(8))
    keeping[7]?.done()
    await intake.close()
    expect(begun().slice(4)).toEqual(['dev_1 1', 'dev_2 1', 'dev_3 1', 'dev_4 2'])
  })
})

describe('the end of an intake', () => {
  test('waits for what is being kept, and takes nothing more', async () => {
    const { intake, sent, keeping, send, begun } = start()
    send('dev_1', { upTo: 1 })
    send('dev_1', { upTo: 2 })
    await eventually(() => expect(keeping).toHaveLength(1))
    const closed = intake.close().then(() => [...sent])
    send('dev_2', { upTo: 1 })
    keeping[0]?.done()
    expect(await closed).toEqual([confirmed('dev_1', 1)])
    expect(begun()).toEqual(['dev_1 1'])
  })
})
