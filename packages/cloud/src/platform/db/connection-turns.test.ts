import { correlate } from '@plantroom/base/correlation'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { createConnectionTurns } from './connection-turns.ts'

const MAX = 8
const SHARE = 2

/** Takes connections that exist in name only. */
function open() {
  const take = createConnectionTurns({ max: MAX, timeoutMs: 20 })
  const connect = async () => ({ release() {} }) as unknown as pg.PoolClient
  return {
    takeAs: (organizationId: string) => correlate({ organizationId }, () => take(connect)),
    take: () => take(connect),
  }
}

test('an organization has a quarter of the connections, and waits for one of its own for a limited time', async () => {
  const { takeAs, take } = open()
  const [first] = await Promise.all(Array.from({ length: SHARE }, () => takeAs('greedy')))
  await expect(takeAs('greedy')).rejects.toThrow('timeout exceeded when trying to connect')
  const next = takeAs('greedy')
  first?.release()
  await next
  await takeAs('ordinary')
  await take()
})

test('what belongs to no organization may have all connections', async () => {
  const { takeAs, take } = open()
  const own = await Promise.all(Array.from({ length: MAX }, take))
  await expect(takeAs('ordinary')).rejects.toThrow('timeout')
  own[0]?.release()
  await takeAs('ordinary')
})
