import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createBatchReceiver } from './batch-receiver.ts'
import { createIntake, createOrganizationQuota } from './intake.ts'

const DAY_MS = 86_400_000
const HONEST = 'dev_honest'
const ORGANIZATIONS: Readonly<Record<string, string>> = { [HONEST]: 'org_1', dev_greedy: 'org_2', dev_second: 'org_2' }

function start({ rowsPerMinute = 100, bytesPerDay = 1e9 } = {}) {
  const clock = createManualClock(Date.UTC(2026, 5, 15))
  const logged: string[] = []
  const log = createLog('test', 'error', { write: (line) => void logged.push(line) })
  const quota = createOrganizationQuota({ bytesPerDay, clock, log })
  const findDevice = (deviceId: string) => {
    const organizationId = ORGANIZATIONS[deviceId]
    return organizationId === undefined ? undefined : { organizationId }
  }
  const intake = createIntake({ rowsPerMinute, quota, findDevice, clock })
  const [stored, confirmed]: [string[], string[]] = [[], []]
  const receiver = createBatchReceiver<string>({
    kind: 'measurements',
    bus: { send: (_deviceId, topic) => void confirmed.push(topic) },
    log: createLog('test', 'silent'),
    intake,
    read(deviceId, batch) {
      if (!batch) return undefined
      const { rows, upTo, rejected = [] } = batch as { rows: number; upTo: number; rejected?: string[] }
      return { items: `${deviceId} ${upTo}`, rows, upTo, rejected }
    },
    async store(batches) {
      stored.push(...batches.map(({ items }) => items))
      return batches.length
    },
  })
  /** Sends a batch as a controller does: again and again until it is confirmed, every 10 s. */
  async function send(deviceId: string, upTo: number, rows: number): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      receiver.receive(deviceId, Buffer.from(JSON.stringify({ upTo, rows })))
      // Reading and storing take some turns of the event loop.
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
      if (confirmed.includes(topics.confirm(deviceId, 'measurements', upTo))) return attempt
      if (attempt === 1000) throw new Error('never confirmed')
      await clock.advance(10_000)
    }
  }
  return { clock, intake, receiver, stored, send, logged }
}

describe('a device that sends more rows than it may', () => {
  test('waits, and loses nothing', async () => {
    const { stored, send, intake } = start({ rowsPerMinute: 100 })
    const attempts: number[] = []
    for (let upTo = 1; upTo <= 10; upTo += 1) attempts.push(await send(HONEST, upTo, 50))
    expect(stored).toEqual(Array.from({ length: 10 }, (_, index) => `${HONEST} ${index + 1}`))
    expect(attempts.slice(0, 2)).toEqual([1, 1])
    expect(intake.held.device).toBeGreaterThan(0)
    expect(intake.held.organization).toBe(0)
  })

  test('delays no other', async () => {
    const { send, intake } = start({ rowsPerMinute: 100 })
    await send('dev_greedy', 1, 10_000)
    expect(intake.holds('dev_greedy')).toBe(true)
    expect(await send(HONEST, 1, 50)).toBe(1)
  })

  test.each([
    ['rows that are rejected', JSON.stringify({ upTo: 1, rows: 0, rejected: Array(101).fill('no') })],
    ['what is no batch', '{'],
  ])('waits, also when it sends %s', async (_what, payload) => {
    const { receiver, intake } = start({ rowsPerMinute: 100 })
    receiver.receive('dev_greedy', Buffer.from(payload))
    expect(intake.holds('dev_greedy')).toBe(true)
    expect(intake.holds(HONEST)).toBe(false)
  })

  test('may send as much again a minute later', async () => {
    const { clock, send, intake } = start({ rowsPerMinute: 100 })
    await send(HONEST, 1, 100)
    expect(intake.holds(HONEST)).toBe(true)
    await clock.advance(60_000)
    expect(await send(HONEST, 2, 100)).toBe(1)
  })
})

describe('an organization that sends more bytes than it may in a day', () => {
  test('waits until the next day, and the operator learns of it once', async () => {
    const { clock, intake, send, logged } = start({ bytesPerDay: 30 })
    await send('dev_greedy', 1, 1)
    await send('dev_greedy', 2, 1)
    for (const deviceId of ['dev_greedy', 'dev_second']) expect(intake.holds(deviceId)).toBe(true)
    expect(intake.holds(HONEST)).toBe(false)
    expect(intake.held).toEqual({ device: 0, organization: 2 })
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('PLANTROOM_MAX_RECEIVED_GB_PER_DAY')
    await clock.advance(DAY_MS)
    expect(intake.holds('dev_greedy')).toBe(false)
  })
})
