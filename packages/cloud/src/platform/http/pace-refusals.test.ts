import { createLog } from '@plantroom/base/log'
import { quotaReached } from '@plantroom/contract/failure'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { createServer } from './server.ts'

/** A server that refuses everything at `/full`, and counts the answers of each network. */
function refusingServer() {
  const clock = createManualClock()
  const app = createServer({ tls: undefined, log: createLog('test', 'silent'), clock })
  app.get('/full', async () => {
    throw quotaReached('too many are waiting: try again in 5 seconds', 5)
  })
  app.get('/works', async () => ({ ok: true }))
  const answers = new Map<string, number>()
  const refuse = async (remoteAddress: string) => {
    const { statusCode, headers } = await app.inject({ url: '/full', remoteAddress })
    expect([statusCode, headers['retry-after']]).toEqual([429, '5'])
    answers.set(remoteAddress, (answers.get(remoteAddress) ?? 0) + 1)
  }
  return { app, clock, refuse, answersTo: (address: string) => answers.get(address) ?? 0 }
}

test('a network that ignores Retry-After gets ten refusals in a tenth of a second, and other networks get theirs', async () => {
  const { app, clock, refuse, answersTo } = refusingServer()
  const flood = Array.from({ length: 25 }, () => refuse('192.0.2.1'))
  await eventually(() => expect(answersTo('192.0.2.1')).toBe(10))
  await refuse('192.0.2.2')
  expect((await app.inject({ url: '/works', remoteAddress: '192.0.2.1' })).statusCode).toBe(200)
  expect(answersTo('192.0.2.1')).toBe(10)
  await clock.advance(100)
  await eventually(() => expect(answersTo('192.0.2.1')).toBe(20))
  await clock.advance(100)
  await Promise.all(flood)
})

test('refusals that find no room to wait are answered immediately', async () => {
  const { refuse, answersTo } = refusingServer()
  const flood = Array.from({ length: 550 }, () => refuse('192.0.2.1'))
  // Ten have places, and 500 wait for one.
  await eventually(() => expect(answersTo('192.0.2.1')).toBe(50))
  expect(flood).toHaveLength(550)
})
