import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countWrites } from './support/counted-writes.ts'
import { eventually } from './support/eventually.ts'
import { type Stack, startStack } from './support/stack.ts'

const MINUTES = 3
const PER_DAY = (24 * 60) / MINUTES
const OVERRIDES = 20

/** What a day may cost an SD card: idle, with one datapoint held all day, and for each override. */
const BOUNDS = {
  idle: { fsyncsPerDay: 600, bytesPerDay: 100_000_000 },
  held: { fsyncsPerDay: 3_600, bytesPerDay: 120_000_000 },
  override: { fsyncs: 12, bytes: 200_000 },
}

const hasStrace = () => {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.runIf(isCampaign && hasStrace())('the writes of a controller to its disk', { timeout: 900_000 }, () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startStack()
  })
  afterAll(() => stack?.[Symbol.asyncDispose]())

  const count = (work: () => Promise<unknown>) =>
    countWrites({ pid: stack.edge.pid, folder: join(stack.folder, 'edge'), output: stack.folder }, work)
  const report = (what: string, counted: object) => process.stdout.write(`${what}: ${JSON.stringify(counted)}\n`)
  const place = async (value: number, seconds: number) => {
    const [from, to] = [Date.now(), Date.now() + seconds * 1000]
    const answer = await stack.partner.override({ datapointId: stack.datapointId('Charge power'), value, from, to })
    expect(answer.status, answer.body.message).toBe(200)
    return answer.body.data.id
  }

  test('stay within their bounds: idle, while a datapoint is held, and for each override', async () => {
    await repeat(1, async () => {
      await eventually(async () => expect(await stack.online()).toBe(true))
      await sleep(40_000)
      const idle = await count(() => sleep(MINUTES * 60_000))
      report('idle, per day', { fsyncs: idle.fsyncs * PER_DAY, bytes: idle.bytes * PER_DAY, ...idle.byFile })
      expect(idle.fsyncs * PER_DAY).toBeLessThanOrEqual(BOUNDS.idle.fsyncsPerDay)
      expect(idle.bytes * PER_DAY).toBeLessThanOrEqual(BOUNDS.idle.bytesPerDay)

      const id = await place(20, 3_600)
      await sleep(10_000)
      const held = await count(() => sleep(MINUTES * 60_000))
      report('held, per day', { fsyncs: held.fsyncs * PER_DAY, bytes: held.bytes * PER_DAY, ...held.byFile })
      expect(held.fsyncs * PER_DAY).toBeLessThanOrEqual(BOUNDS.held.fsyncsPerDay)
      expect(held.bytes * PER_DAY).toBeLessThanOrEqual(BOUNDS.held.bytesPerDay)
      expect((await stack.partner.cancel(id)).status).toBe(200)

      const busy = await count(async () => {
        for (let n = 0; n < OVERRIDES; n += 1) {
          const placed = await place(n, 600)
          await sleep(500)
          expect((await stack.partner.cancel(placed)).status).toBe(200)
          await sleep(500)
        }
      })
      const each = { fsyncs: busy.fsyncs / OVERRIDES, bytes: Math.round(busy.bytes / OVERRIDES) }
      report('each override, placed and cancelled', each)
      expect(each.fsyncs).toBeLessThanOrEqual(BOUNDS.override.fsyncs)
      expect(each.bytes).toBeLessThanOrEqual(BOUNDS.override.bytes)
    })
  })
})
