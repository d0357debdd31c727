import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, test } from 'vitest'
import { type ProcessUsage, usageOf, watchCpu } from './cpu-watch.ts'

function watched() {
  const clock = createManualClock()
  const job = { usage: { cpuMs: 0, bytes: 0 } as ProcessUsage | undefined, progress: {} as object, stalled: 0 }
  const stop = watchCpu(clock, {
    usage: () => job.usage && { ...job.usage },
    progress: () => job.progress,
    onStalled: () => {
      job.stalled += 1
    },
    limitMs: 60_000,
  })
  /** Moves the time, in which the job uses one core and reads `bytes` a second. */
  async function run(seconds: number, bytes = 0) {
    for (let second = 0; second < seconds; second += 1) {
      if (job.usage) job.usage = { cpuMs: job.usage.cpuMs + 1_000, bytes: job.usage.bytes + bytes }
      await clock.advance(1_000)
    }
  }
  return { clock, job, run, stop }
}

test('a job that uses a minute of CPU without progress is reported once', async () => {
  const { job, run } = watched()
  await run(58)
  expect(job.stalled).toBe(0)
  await run(60)
  expect(job.stalled).toBe(1)
})

test('a job that reports progress is not stalled', async () => {
  const { job, run } = watched()
  for (let minute = 0; minute < 5; minute += 1) {
    await run(50)
    job.progress = {}
  }
  expect(job.stalled).toBe(0)
})

test('a job that reads its files is not stalled', async () => {
  const { job, run } = watched()
  await run(300, 100_000)
  expect(job.stalled).toBe(0)
})

test('a job that waits uses no CPU, so it may wait for any time', async () => {
  const { clock, job } = watched()
  await clock.advance(3_600_000)
  expect(job.stalled).toBe(0)
})

test('nothing is decided where the system does not count', async () => {
  const { job, run } = watched()
  job.usage = undefined
  await run(300)
  expect(job.stalled).toBe(0)
})

test.runIf(process.platform === 'linux')('the usage of a process is that of the system', () => {
  const before = usageOf(process.pid)
  const start = process.cpuUsage()
  while (process.cpuUsage(start).user < 200_000) Math.sqrt(2)
  const after = usageOf(process.pid)
  expect((after?.cpuMs ?? 0) - (before?.cpuMs ?? 0)).toBeGreaterThanOrEqual(100)
  expect(usageOf(2 ** 30)).toBeUndefined()
})
