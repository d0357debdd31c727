import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { type BatchOwners, createBatchOwners, LEAVING } from './batch-owners.ts'

const DEVICES = Array.from({ length: 1000 }, (_, index) => `dev_${index}`)

/** Processes that hear each other's heartbeats. */
function start() {
  const clock = createManualClock()
  const running = new Map<string, BatchOwners>()
  const killed = new Set<string>()
  const unheard: string[] = []
  const deliver = (from: string, payload: Buffer) => {
    if (killed.has(from)) return
    for (const owners of running.values()) owners.heard(from, payload)
  }
  const join = (cloudId: string) => {
    const announce = (payload: Buffer) => {
      deliver(cloudId, payload)
      return true
    }
    const owners = createBatchOwners({ cloudId, clock, announce, unheard: () => unheard.push(cloudId) })
    running.set(cloudId, owners)
    return owners
  }
  /** How many processes store what each device sends. */
  const storedBy = () => DEVICES.map((device) => [...running.values()].filter(({ owns }) => owns(device)).length)
  const leave = (cloudId: string) => running.get(cloudId)?.close()
  const kill = (cloudId: string) => {
    killed.add(cloudId)
    running.delete(cloudId)
  }
  return { clock, running, unheard, join, leave, kill, storedBy }
}

const all = (count: number) => DEVICES.map(() => count)

describe('the batches of a device', () => {
  test('belong to the only process', () => {
    const { join, storedBy } = start()
    join('cloud_a')
    expect(storedBy()).toEqual(all(1))
  })

  test('belong to one of several processes, each of which has its share', async () => {
    const { clock, running, join, storedBy } = start()
    for (const id of ['cloud_a', 'cloud_b', 'cloud_c']) join(id)
    await clock.advance(1_000)
    expect(storedBy()).toEqual(all(1))
    for (const { owns } of running.values()) {
      const share = DEVICES.filter(owns).length
      expect(share).toBeGreaterThan(250)
      expect(share).toBeLessThan(420)
    }
  })

  test('stay where they are when another process comes or goes', async () => {
    const { clock, join, leave, kill, running } = start()
    const first = join('cloud_a')
    join('cloud_b')
    await clock.advance(1_000)
    const before = DEVICES.filter(first.owns)
    join('cloud_c')
    await clock.advance(1_000)
    const during = DEVICES.filter(first.owns)
    expect(before).toEqual(expect.arrayContaining(during))
    leave('cloud_c')
    kill('cloud_c')
    expect(DEVICES.filter(first.owns)).toEqual(before)
    expect(running.size).toBe(2)
  })

  test('pass on at once when a process leaves, and after five seconds when it dies unheard', async () => {
    const { clock, join, leave, kill, storedBy } = start()
    for (const id of ['cloud_a', 'cloud_b', 'cloud_c']) join(id)
    await clock.advance(1_000)
    leave('cloud_c')
    kill('cloud_c')
    expect(storedBy()).toEqual(all(1))
    kill('cloud_b')
    expect(storedBy()).not.toEqual(all(1))
    await clock.advance(7_000)
    expect(storedBy()).toEqual(all(1))
  })

  test('pass on by the last will of a process', async () => {
    const { clock, join, kill, storedBy } = start()
    const first = join('cloud_a')
    join('cloud_b')
    await clock.advance(1_000)
    kill('cloud_b')
    first.heard('cloud_b', LEAVING)
    expect(storedBy()).toEqual(all(1))
  })

  test('are stored by somebody while a process that starts is not known to all', () => {
    const { join, storedBy } = start()
    join('cloud_a')
    join('cloud_b')
    expect(Math.min(...storedBy())).toBeGreaterThan(0)
  })
})

describe('a broker that keeps heartbeats to itself', () => {
  test('is reported once', async () => {
    const { clock, unheard, join, running } = start()
    join('cloud_a')
    await clock.advance(60_000)
    expect(unheard).toEqual([])
    join('cloud_b')
    running.delete('cloud_b')
    await clock.advance(60_000)
    expect(unheard).toEqual(['cloud_b'])
  })
})
