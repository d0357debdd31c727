import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createConfirmedSender } from './confirmed-sender.ts'

/** An outbox in memory with two entries per batch, and an uplink that records what is sent. */
function setUp({ connected = true, entries = 0, restMs = 0 } = {}) {
  const clock = createManualClock()
  const logged: string[] = []
  const log = createLog('edge', 'info', { write: (line) => void logged.push(JSON.parse(line).msg) })
  const held = Array.from({ length: entries }, (_, index) => index + 1)
  const trouble = { reading: false, forgetting: false, publishing: false }
  const outbox = {
    nextBatch() {
      if (trouble.reading) throw new Error('disk I/O error')
      const batch = held.slice(0, 2)
      const upTo = batch.at(-1)
      return upTo === undefined ? undefined : { upTo, payload: batch.join() }
    },
    forget(upTo: number) {
      if (trouble.forgetting) throw new Error('database or disk is full')
      held.splice(0, held.findLastIndex((seq) => seq <= upTo) + 1)
    },
  }
  const sent: string[] = []
  const uplink = {
    connected,
    publish(topic: string, payload: string, qos: 0 | 1) {
      if (trouble.publishing) throw new Error('client disconnecting')
      sent.push(`${topic} ${payload} qos ${qos}`)
    },
  }
  const sender = createConfirmedSender({ outbox, uplink, topic: 'things', clock, log, restMs })
  const takeSent = () => sent.splice(0).map((message) => message.split(' ')[1])
  return { clock, logged, held, trouble, sent, uplink, sender, takeSent }
}

describe('a message that must be confirmed', () => {
  test('is sent immediately with QoS 1', () => {
    const { held, sender, sent } = setUp()
    sender.changed()
    expect(sent).toEqual([])
    held.push(1)
    sender.changed()
    expect(sent).toEqual(['things 1 qos 1'])
  })

  test('waits while there is no uplink, and is sent when there is', async () => {
    const { clock, sender, uplink, takeSent } = setUp({ connected: false, entries: 3 })
    sender.changed()
    await clock.advance(60_000)
    expect(takeSent()).toEqual([])
    uplink.connected = true
    sender.connected()
    expect(takeSent()).toEqual(['1,2'])
  })

  test('is sent one batch at a time, in order, and deleted only when confirmed', () => {
    const { held, sender, takeSent } = setUp({ entries: 5 })
    sender.changed()
    sender.changed()
    expect(takeSent()).toEqual(['1,2'])
    expect(held).toEqual([1, 2, 3, 4, 5])
    sender.confirmed(2)
    expect(takeSent()).toEqual(['3,4'])
    expect(held).toEqual([3, 4, 5])
    sender.confirmed(4)
    sender.confirmed(5)
    expect(takeSent()).toEqual(['5'])
    expect(held).toEqual([])
  })

  test('is collected for the rest time after a confirmation', async () => {
    const { clock, held, sender, takeSent } = setUp({ restMs: 50 })
    held.push(1)
    sender.changed()
    expect(takeSent()).toEqual(['1'])
    sender.confirmed(1)
    for (const seq of [2, 3]) {
      held.push(seq)
      sender.changed()
    }
    await clock.advance(49)
    expect(takeSent()).toEqual([])
    await clock.advance(1)
    expect(takeSent()).toEqual(['2,3'])
    sender.confirmed(3)
    await clock.advance(50)
    held.push(4)
    sender.changed()
    expect(takeSent()).toEqual(['4'])
  })

  test('is repeated unchanged after ten seconds, whatever was added meanwhile', async () => {
    const { clock, held, sender, takeSent } = setUp({ entries: 1 })
    sender.changed()
    held.push(2)
    sender.changed()
    await clock.advance(9_999)
    expect(takeSent()).toEqual(['1'])
    await clock.advance(1)
    expect(takeSent()).toEqual(['1'])
    await clock.advance(20_000)
    expect(takeSent()).toEqual(['1', '1'])
    sender.confirmed(1)
    expect(takeSent()).toEqual(['2'])
  })

  test('is not repeated once it is confirmed', async () => {
    const { clock, sender, takeSent } = setUp({ entries: 2 })
    sender.changed()
    sender.confirmed(2)
    await clock.advance(60_000)
    expect(takeSent()).toEqual(['1,2'])
    expect(clock.waiting()).toEqual([])
  })

  test('is repeated immediately after a reconnect, which restarts the ten seconds', async () => {
    const { clock, sender, uplink, takeSent } = setUp({ entries: 3 })
    sender.changed()
    uplink.connected = false
    await clock.advance(60_000)
    expect(takeSent()).toEqual(['1,2'])
    uplink.connected = true
    sender.connected()
    expect(takeSent()).toEqual(['1,2'])
    await clock.advance(9_999)
    expect(takeSent()).toEqual([])
    await clock.advance(1)
    expect(takeSent()).toEqual(['1,2'])
  })

  test.each([
    ['of an earlier batch', 2],
    ['of a part of it', 3],
    ['of more than was sent', 6],
    ['of nothing', Number.NaN],
  ])('is not deleted by a confirmation %s', (_what, upTo) => {
    const { held, sender, takeSent } = setUp({ entries: 6 })
    sender.changed()
    sender.confirmed(2)
    takeSent()
    sender.confirmed(upTo)
    expect(held).toEqual([3, 4, 5, 6])
    expect(takeSent()).toEqual([])
  })

  test('is not deleted by a confirmation before anything was sent', () => {
    const { held, sender } = setUp({ connected: false, entries: 2 })
    sender.confirmed(2)
    expect(held).toEqual([1, 2])
  })

  test('may be confirmed while there is no uplink, or during the send', () => {
    const { held, sender, uplink, takeSent } = setUp({ entries: 4 })
    sender.changed()
    uplink.connected = false
    sender.confirmed(2)
    expect(held).toEqual([3, 4])
    expect(takeSent()).toEqual(['1,2'])

    const prompt = setUp({ entries: 5 })
    const publish = prompt.uplink.publish
    prompt.uplink.publish = (topic, payload, qos) => {
      publish(topic, payload, qos)
      prompt.sender.confirmed(Number(payload.split(',').at(-1)))
    }
    prompt.sender.changed()
    expect(prompt.takeSent()).toEqual(['1,2', '3,4', '5'])
    expect(prompt.clock.waiting()).toEqual([])
  })
})

describe('a failing disk or uplink', () => {
  test('that cannot delete leads to the same batch again until it can', async () => {
    const { clock, held, logged, sender, trouble, takeSent } = setUp({ entries: 3 })
    sender.changed()
    trouble.forgetting = true
    sender.confirmed(2)
    expect(takeSent()).toEqual(['1,2'])
    expect(logged).toEqual(['could not delete what the cloud has confirmed; retrying'])
    await clock.advance(10_000)
    expect(takeSent()).toEqual(['1,2'])
    trouble.forgetting = false
    sender.confirmed(2)
    expect(held).toEqual([3])
    expect(takeSent()).toEqual(['3'])
  })

  test('that cannot be read is retried after ten seconds, not at every change', async () => {
    const { clock, logged, sender, trouble, takeSent } = setUp({ entries: 1 })
    trouble.reading = true
    for (let change = 0; change < 100; change += 1) sender.changed()
    expect(logged).toEqual(['could not send to the cloud; retrying'])
    trouble.reading = false
    await clock.advance(10_000)
    expect(takeSent()).toEqual(['1'])
  })

  test('that rejects the message gets it again', async () => {
    const { clock, sender, trouble, takeSent } = setUp({ entries: 1 })
    trouble.publishing = true
    sender.changed()
    trouble.publishing = false
    await clock.advance(10_000)
    expect(takeSent()).toEqual(['1'])
  })
})

test('a closed sender sends nothing and leaves no timer', async () => {
  const { clock, held, sender, takeSent } = setUp({ entries: 4 })
  sender.changed()
  sender.close()
  sender.confirmed(2)
  sender.connected()
  sender.changed()
  await clock.advance(60_000)
  expect(takeSent()).toEqual(['1,2'])
  expect(held).toEqual([1, 2, 3, 4])
  expect(clock.waiting()).toEqual([])
})
