import { once } from 'node:events'
import { duplexPair } from 'node:stream'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import type { ReadRequest } from '../frame.ts'
import { rtuClientOn } from './client.ts'
import { encodeRequest, sealed } from './frame.ts'
import { LateAnswers } from './late-answers.ts'

/** A client, and the other end of its line. */
function start() {
  const [stream, line] = duplexPair()
  const clock = createManualClock()
  const about = {
    name: 'line',
    late: new LateAnswers(clock),
    characterMs: 0,
    silenceMs: 0,
    maxUnanswered: 3,
    lossText: 'was lost',
  }
  const client = rtuClientOn(
    { ...about, stream, close: () => void stream.destroy(), onIdleLoss: () => {}, reasonOf: ({ message }) => message },
    clock,
  )
  return {
    client,
    line,
    /** Resolves when the client has received it. */
    async send(bytes: Uint8Array) {
      const received = once(stream, 'data')
      line.write(bytes)
      await received
    },
    async sent() {
      const [bytes] = (await once(line, 'data')) as [Buffer]
      return bytes.toString('hex')
    },
  }
}

const frame = (...bytes: number[]) => sealed(Buffer.from([...bytes, 0, 0]))
const read = (address: number, count = 1): ReadRequest => ({ functionCode: 3, address, count })
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('an answer to a request of another master is not ours', async () => {
  const { client, send, sent } = start()
  await send(encodeRequest(1, read(700)))
  const asked = sent()
  const reading = client.exchange(1, read(10), 200)
  // First a read of the other table, whose answer cannot be meant for the other master.
  expect(await asked).toBe(textOf(encodeRequest(1, { ...read(10), functionCode: 4 })))
  await send(frame(1, 3, 2, 2, 0xbc))
  const again = sent()
  await send(frame(1, 0x84, 2))
  expect(await again).toBe(textOf(encodeRequest(1, read(10))))
  await send(frame(1, 3, 2, 0, 10))
  expect(await reading).toEqual({ data: Buffer.of(0, 10) })
})

test('a request of another master that is heard before our answer makes it worthless', async () => {
  const { client, send } = start()
  const reading = client.exchange(1, read(10), 200)
  await send(encodeRequest(1, read(700)))
  await send(frame(1, 3, 2, 2, 0xbc))
  expect(await reading).toMatchObject({ reason: { message: expect.stringContaining('second master') } })
})

test.each([
  ['a request of another master', encodeRequest(1, read(700)), read(10, 2), frame(1, 3, 4, 0, 10, 0, 11)],
  ['a damaged request', encodeRequest(1, read(700)).fill(0, 7), read(10), frame(1, 3, 2, 0, 10)],
])('after %s and one answer, the other answer is no value', async (_, foreign, request, answer) => {
  const { client, send, sent } = start()
  const first = sent()
  const reading = client.exchange(1, request, 200)
  await first
  await send(Buffer.concat([foreign, answer]))
  expect(await reading).toMatchObject({ reason: { message: expect.stringContaining('second master') } })
  const asked = sent()
  const next = client.exchange(1, read(11), 200)
  const proof = await asked
  await send(frame(1, 3, 2, 2, 0xbc))
  expect(proof).toBe(textOf(encodeRequest(1, { ...read(11), functionCode: 4 })))
  const again = sent()
  await send(frame(1, 4, 2, 0, 0))
  expect(await again).toBe(textOf(encodeRequest(1, read(11))))
  await send(frame(1, 3, 2, 0, 11))
  expect(await next).toEqual({ data: Buffer.of(0, 11) })
})

test('a stream that ends ends the exchange', async () => {
  const { client, line } = start()
  const reading = client.exchange(1, read(10), 200)
  line.end()
  expect(await reading).toMatchObject({ reason: { message: 'line was lost' }, timedOut: false })
  expect(client.isUp()).toBe(false)
})
