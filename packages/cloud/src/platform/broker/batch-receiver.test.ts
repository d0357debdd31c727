import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { createBatchReceiver } from './batch-receiver.ts'

interface Batch {
  upTo: number
  invalid?: boolean
}

/** A receiver whose store resolves when the test says so. */
function start() {
  const sent: string[] = []
  const logged: string[] = []
  const storing: { batch: string; done(): void; fail(reason: string): void }[] = []
  const receiver = createBatchReceiver<string>({
    kind: 'reports',
    bus: { send: (_deviceId, topic) => void sent.push(topic) },
    log: createLog('test', 'warn', { write: (line) => void logged.push(line) }),
    read(deviceId, batch) {
      const { upTo, invalid } = (batch ?? {}) as Partial<Batch>
      if (upTo === undefined) return undefined
      return {
        items: `${deviceId} ${upTo}`,
        rows: 1,
        upTo,
        rejected: invalid ? ['entry 3: invalid', 'entry 4: invalid'] : [],
      }
    },
    store: (batches) =>
      new Promise((resolve, reject) => {
        const batch = batches.map(({ items }) => items).join(', ')
        storing.push({ batch, done: () => resolve(batches.length), fail: (reason) => reject(new Error(reason)) })
      }),
  })
  const send = (deviceId: string, batch: Batch | string) =>
    receiver.receive(deviceId, Buffer.from(typeof batch === 'string' ? batch : JSON.stringify(batch)))
  const begun = () => storing.map(({ batch }) => batch)
  return { receiver, sent, logged, storing, send, begun }
}

const confirmed = (deviceId: string, upTo: number) => topics.confirm(deviceId, 'reports', upTo)

describe('a batch', () => {
  test('is confirmed only after it is stored', async () => {
    const { sent, storing, send } = start()
    send('dev_1', { upTo: 7 })
    await eventually(() => expect(storing).toHaveLength(1))
    expect(sent).toEqual([])
    storing[0]?.done()
    await eventually(() => expect(sent).toEqual([confirmed('dev_1', 7)]))
  })

  test('is stored after earlier batches of its device', async () => {
    const { sent, storing, send, begun } = start()
    for (const upTo of [1, 2, 3]) send('dev_1', { upTo })
    for (const count of [1, 2, 3]) {
      await eventually(() => expect(storing).toHaveLength(count))
      storing[count - 1]?.done()
    }
    await eventually(() => expect(sent).toEqual([1, 2, 3].map((upTo) => confirmed('dev_1', upTo))))
    expect(begun()).toEqual(['dev_1 1', 'dev_1 2', 'dev_1 3'])
  })

  test('with rejected items is confirmed, and the rejections are logged', async () => {
    const { sent, logged, storing, send } = start()
    send('dev_1', { upTo: 7, invalid: true })
    await eventually(() => expect(storing).toHaveLength(1))
    storing[0]?.done()
    await eventually(() => expect(sent).toEqual([confirmed('dev_1', 7)]))
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { device: 'dev_1', kind: 'reports', count: 2, first: 'entry 3: invalid' },
    ])
  })

  test.each([
    ['is not JSON', '{"upTo":'],
    ['is empty', ''],
    ['is JSON but not a batch', 'null'],
  ])('that %s is dropped without a confirmation and does not block the next', async (_what, payload) => {
    const { sent, logged, storing, send } = start()
    send('dev_1', payload)
    send('dev_1', { upTo: 1 })
    await eventually(() => expect(storing).toHaveLength(1))
    storing[0]?.done()
    await eventually(() => expect(sent).toEqual([confirmed('dev_1', 1)]))
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('not a batch')
  })

  test('that cannot be stored is not confirmed, nor are those queued behind it, until sent again', async () => {
    const { sent, logged, storing, send, begun } = start()
    send('dev_1', { upTo: 1 })
    send('dev_1', { upTo: 2 })
    await eventually(() => expect(storing).toHaveLength(1))
    storing[0]?.fail('the database is down')
    await eventually(() => expect(logged[0]).toContain('the database is down'))
    for (const upTo of [1, 2]) send('dev_1', { upTo })
    await eventually(() => expect(storing).toHaveLength(2))
    storing[1]?.done()
    await eventually(() => expect(storing).toHaveLength(3))
    storing[2]?.done()
    await eventually(() => expect(sent).toEqual([confirmed('dev_1', 1), confirmed('dev_1', 2)]))
    expect(begun()).toEqual(['dev_1 1', 'dev_1 1', 'dev_1 2'])
  })
})

describe('more batches than can be stored at a time', () => {
  test('of one device are queued, and dropped beyond three', async () => {
    const { receiver, storing, send, begun } = start()
    for (const upTo of [1, 2, 3, 4, 5, 6]) send('dev_1', { upTo })
    for (const count of [1, 2, 3, 4]) {
      await eventually(() => expect(storing).toHaveLength(count))
      storing[count - 1]?.done()
    }
    await receiver.close()
    expect(begun()).toEqual([1, 2, 3, 4].map((upTo) => `dev_1 ${upTo}`))
  })

  test('of many devices are stored together while two commits run, and no device blocks the others', async () => {
    const { storing, send, begun } = start()
    for (const upTo of [1, 2, 3]) send('dev_0', { upTo })
    for (const device of [1, 2, 3, 4, 5]) send(`dev_${device}`, { upTo: 1 })
    await eventually(() => expect(begun()).toEqual(['dev_0 1', 'dev_1 1']))
    storing[1]?.done()
    await eventually(() => expect(begun()[2]).toBe('dev_2 1, dev_3 1, dev_4 1, dev_5 1'))
    storing[0]?.done()
    await eventually(() => expect(begun()[3]).toBe('dev_0 2'))
  })

  test('are confirmed one by one after their commit', async () => {
    const { sent, storing, send } = start()
    for (const device of [1, 2, 3, 4]) send(`dev_${device}`, { upTo: device })
    storing[0]?.done()
    await eventually(() => expect(storing).toHaveLength(3))
    expect(sent).toEqual([confirmed('dev_1', 1)])
    storing[2]?.done()
    await eventually(() => expect(sent).toHaveLength(3))
    expect(sent.slice(1)).toEqual([confirmed('dev_3', 3), confirmed('dev_4', 4)])
  })

  test('of very many devices are stored at most 100 at a time', async () => {
    const { storing, send } = start()
    for (let device = 0; device < 122; device += 1) send(`dev_${device}`, { upTo: 1 })
    storing[0]?.done()
    await eventually(() => expect(storing).toHaveLength(3))
    storing[1]?.done()
    await eventually(() => expect(storing).toHaveLength(4))
    expect(storing.map(({ batch }) => batch.split(', ').length)).toEqual([1, 1, 100, 20])
  })

  test('are dropped above the limit of bytes, until there is room', async () => {
    const { receiver, storing, send, begun } = start()
    const large = (upTo: number) => JSON.stringify({ upTo, filling: 'x'.repeat(20 * 1024 * 1024) })
    for (const device of [1, 2]) send(`busy_${device}`, { upTo: 1 })
    for (const device of [1, 2, 3, 4]) send(`dev_${device}`, large(1))
    for (const place of [0, 1]) storing[place]?.done()
    await eventually(() => expect(storing).toHaveLength(4))
    for (const place of [2, 3]) storing[place]?.done()
    await eventually(() => expect(storing).toHaveLength(5))
    send('dev_4', large(2))
    await eventually(() => expect(storing).toHaveLength(6))
    for (const place of [4, 5]) storing[place]?.done()
    await receiver.close()
    expect(begun().slice(2)).toEqual(['dev_1 1', 'dev_2 1', 'dev_3 1', 'dev_4 2'])
  })
})

describe('a batch that cannot be stored', () => {
  /** Starts a commit of three devices, and fails it. */
  async function failTogether() {
    const started = start()
    const { storing, send, begun } = started
    for (const device of ['a', 'b']) send(`busy_${device}`, { upTo: 1 })
    for (const device of [1, 2, 3]) send(`dev_${device}`, { upTo: 1 })
    storing[0]?.done()
    await eventually(() => expect(begun()[2]).toBe('dev_1 1, dev_2 1, dev_3 1'))
    storing[2]?.fail('one of them')
    await eventually(() => expect(begun()[3]).toBe('dev_1 1'))
    return started
  }

  test('does not hold up those of other devices', async () => {
    const { storing, sent, begun } = await failTogether()
    storing[3]?.done()
    await eventually(() => expect(begun()[4]).toBe('dev_2 1'))
    storing[4]?.fail('poisoned')
    await eventually(() => expect(begun()[5]).toBe('dev_3 1'))
    storing[5]?.done()
    await eventually(() => expect(sent).toHaveLength(3))
    expect(sent).toEqual([confirmed('busy_a', 1), confirmed('dev_1', 1), confirmed('dev_3', 1)])
  })

  test('is stored alone when it comes again, until that succeeds', async () => {
    const { storing, sent, send, begun } = await failTogether()
    storing[3]?.done()
    await eventually(() => expect(begun()[4]).toBe('dev_2 1'))
    storing[4]?.fail('poisoned')
    await eventually(() => expect(begun()[5]).toBe('dev_3 1'))
    for (const device of [4, 2, 5]) send(`dev_${device}`, { upTo: 1 })
    storing[5]?.done()
    for (const [place, batch] of ['dev_4 1', 'dev_2 1', 'dev_5 1'].entries()) {
      await eventually(() => expect(begun()[place + 6]).toBe(batch))
      storing[place + 6]?.done()
    }
    await eventually(() => expect(sent).toHaveLength(6))
    for (const device of [6, 2]) send(`dev_${device}`, { upTo: 2 })
    await eventually(() => expect(begun()[9]).toBe('dev_6 2'))
    for (const device of [7, 8]) send(`dev_${device}`, { upTo: 2 })
    storing[9]?.done()
    await eventually(() => expect(begun()[10]).toBe('dev_2 2, dev_7 2, dev_8 2'))
  })

  test('like all the others is not tried for every device: the database is down', async () => {
    const { storing, send, logged } = start()
    for (let device = 0; device < 102; device += 1) send(`dev_${device}`, { upTo: 1 })
    storing[0]?.fail('down')
    for (let place = 2; place < 13; place += 1) {
      await eventually(() => expect(storing).toHaveLength(place + 1))
      storing[place]?.fail('down')
    }
    await eventually(() => expect(logged.at(-1)).toContain('"devices":91'))
    expect(storing).toHaveLength(13)
    send('dev_2', { upTo: 1 })
    await eventually(() => expect(storing).toHaveLength(14))
  })
})

describe('the number of stored items', () => {
  test('grows by the new items of each stored batch', async () => {
    const { receiver, storing, sent, send } = start()
    expect(receiver.stored).toBe(0)
    for (const upTo of [1, 2]) send('dev_1', { upTo })
    for (const count of [1, 2]) {
      await eventually(() => expect(storing).toHaveLength(count))
      storing[count - 1]?.done()
    }
    await eventually(() => expect(sent).toHaveLength(2))
    expect(receiver.stored).toBe(2)
  })
})

describe('the number of items that two commits store at the same time', () => {
  test('is the sum of both', async () => {
    const { receiver, storing, sent, send } = start()
    for (const device of [1, 2]) send(`dev_${device}`, { upTo: 1 })
    await eventually(() => expect(storing).toHaveLength(2))
    for (const { done } of storing) done()
    await eventually(() => expect(sent).toHaveLength(2))
    expect(receiver.stored).toBe(2)
  })
})

describe('closing a receiver', () => {
  test('waits for the batch being stored and accepts no more', async () => {
    const { receiver, sent, storing, send, begun } = start()
    send('dev_1', { upTo: 1 })
    send('dev_1', { upTo: 2 })
    await eventually(() => expect(storing).toHaveLength(1))
    const closed = receiver.close().then(() => [...sent])
    send('dev_2', { upTo: 1 })
    storing[0]?.done()
    expect(await closed).toEqual([confirmed('dev_1', 1)])
    expect(begun()).toEqual(['dev_1 1'])
  })
})
