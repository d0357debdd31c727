import { sleep, systemClock } from '@plantroom/base/clock'
import { isCampaign, repeat, repetitions } from '@plantroom/testkit/repetitions'
import { describe, expect, test } from 'vitest'
import { type Dispatchable, endsOnTime, ofBatteryRoom, registerIs, reported } from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import { HAS_FAKETIME, type WallClock, wallClock } from './support/faketime.ts'
import { ownFolder } from './support/folder.ts'
import { type Stack, startStack } from './support/stack.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Longest time to a release after a restart. */
const AFTER_BOOT_MS = 5_000
/** A controller that judges by the cloud's time may have guessed it early by half of the longest round trip. */
const CLOUD_TIME_OFF_MS = 1_000
const RUN_TIMEOUT_MS = 300_000
const timeout = repetitions(1) * RUN_TIMEOUT_MS

/** A controller whose clock can be stepped. The cloud and the partner always have real time. */
interface Bench {
  clock: WallClock
  stack: Stack
  power: Dispatchable
  limit: Dispatchable
  /** Values of the registers before any dispatch. */
  plain: { power: number; limit: number }
  /** Size of the steps of the clock: an hour in the suite, up to a month in a campaign. */
  stepMs: number
  /** Kills and restarts the controller. Resolves when it answers again. */
  cutThePower(): Promise<void>
  /** Waits until the controller says that its clock is off by this much. */
  clockIsOff(byMs: number): Promise<void>
}

/** Runs a scenario on a new stack, as often as a campaign asks. */
function onBench(scenario: (bench: Bench) => Promise<void>): () => Promise<void> {
  return () =>
    repeat(1, async ({ number, random }) => {
      await using folder = ownFolder()
      const clock = wallClock(folder.path)
      await using stack = await startStack({ edge: async () => clock.settings })
      const power = ofBatteryRoom(stack, 'Charge power')
      const limit = ofBatteryRoom(stack, 'Charge power limit')
      await eventually(async () => expect((await power.shown()).value).toBe(await power.register()))
      await scenario({
        clock,
        stack,
        power,
        limit,
        plain: { power: await power.register(), limit: await limit.register() },
        stepMs: number === 1 ? HOUR : random.whole(10, 30 * 24 * 60) * MINUTE,
        async cutThePower() {
          const { pid } = stack.edge
          await stack.edge.kill()
          clock.forget(pid)
          await stack.edge.start()
          await eventually(async () => expect((await power.shown()).error).toBeUndefined())
        },
        clockIsOff: (byMs) =>
          eventually(async () => {
            // A site is reported on ten times a minute.
            await sleep(systemClock, 2_000)
            const { controllers } = await stack.admin.getProblemReport({ orgId: stack.orgId, siteId: stack.siteId })
            const offset = controllers[0]?.health?.clockOffsetMs ?? Number.NaN
            expect(Math.abs(offset - byMs)).toBeLessThan(5_000)
          }),
      })
    })
}

/** Checks that the entries of a datapoint are in order, and end at `to` by the real time. */
async function datedByTheCloud({ reports }: Dispatchable, to: number): Promise<void> {
  const times = (await reports()).map(({ at }) => Date.parse(at))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(Math.abs((times.at(-1) ?? 0) - to)).toBeLessThan(MINUTE / 2)
}

describe.skipIf(!HAS_FAKETIME)('a controller whose clock is stepped', () => {
  test.each(isCampaign ? [-1, 1] : [-1])(
    'during an override ends it on time, and dates the audit in order; direction %i',
    { timeout },
    (direction) =>
      onBench(async ({ clock, power, plain, stepMs, clockIsOff }) => {
        const to = Date.now() + 8_000
        const id = await power.place(7, { to })
        clock.stepTo(direction * stepMs)
        await registerIs(power, 7)
        await endsOnTime(power, { value: 7, to, back: plain.power })
        await reported(power, id, ['applied 7', `released ${plain.power} (ended)`])
        await datedByTheCloud(power, to)
        await clockIsOff(direction * stepMs)
      })(),
  )

  test(
    '50 s behind holds a window within its times, and nothing after its end',
    { timeout },
    onBench(async ({ clock, power, plain, clockIsOff }) => {
      clock.stepTo(-50_000)
      await clockIsOff(-50_000)
      const over = await power.override(7, { from: Date.now() - 20_000, to: Date.now() - 5_000 })
      expect(over.status, over.body.message).toBe(499)
      const [from, to] = [Date.now() + 3_000, Date.now() + 13_000]
      await power.place(8, { from, to })
      const tooEarly: number[] = []
      await eventually(async () => {
        const seen = await power.register()
        if (seen !== plain.power && Date.now() < from - CLOUD_TIME_OFF_MS) tooEarly.push(seen)
        expect(seen).toBe(8)
      })
      expect(tooEarly).toEqual([])
      await endsOnTime(power, { value: 8, to, back: plain.power })
      await datedByTheCloud(power, to)
    }),
  )

  test.runIf(isCampaign)(
    'two hours ahead neither ends the running override nor drops the queued one, even across a restart',
    { timeout },
    onBench(async ({ clock, stack, power, limit, plain, clockIsOff }) => {
      clock.stepTo(2 * HOUR)
      await clockIsOff(2 * HOUR)
      const to = Date.now() + 20_000
      const running = await power.place(7, { to })
      const queued = await limit.place(12, { from: to, to: to + 5_000 })
      await registerIs(power, 7)
      const { pid } = stack.edge
      await stack.edge.stop()
      clock.forget(pid)
      await stack.edge.start()
      await endsOnTime(power, { value: 7, to, back: plain.power })
      await registerIs(limit, 12)
      await endsOnTime(limit, { value: 12, to: to + 5_000, back: plain.limit })
      await reported(power, running, ['applied 7', `released ${plain.power} (ended)`])
      await reported(limit, queued, ['applied 12', `released ${plain.limit} (ended)`])
      await datedByTheCloud(limit, to + 5_000)
    }),
  )

  test(
    'back before a power cut neither interrupts nor extends an override',
    { timeout },
    onBench(async ({ clock, stack, power, plain, stepMs, cutThePower }) => {
      const to = Date.now() + 6_000
      const id = await power.place(7, { to })
      await registerIs(power, 7)
      clock.stepTo(-stepMs)
      await cutThePower()
      // On a busy machine the restart may take longer than the override lasts.
      const latest = Math.max(to, Date.now())
      const end = { value: 7, to, back: plain.power }
      await endsOnTime(power, end, latest - to + AFTER_BOOT_MS).catch(async (error: unknown) => {
        // A machine so busy that the cloud's time takes longer than the grace: then the controller must not hold.
        await eventually(() =>
          expect(stack.edge.output()).toContain('equipment is restored until the time is known'),
        ).catch(() => {
          throw error
        })
      })
      await registerIs(power, plain.power)
      await reported(power, id, ['applied 7', `released ${plain.power} (ended)`])
    }),
  )

  test.each(isCampaign ? [true, false] : [false])(
    'back before it starts after `to` never resumes the override; cloud: %j',
    { timeout },
    (cloud) =>
      onBench(async ({ clock, stack, power, plain, stepMs }) => {
        const to = Date.now() + 5_000
        const id = await power.place(7, { to })
        await registerIs(power, 7)
        const { pid } = stack.edge
        await stack.edge.kill()
        if (!cloud) await stack.cloud.kill()
        clock.forget(pid)
        clock.stepTo(-stepMs)
        await eventually(() => expect(Date.now()).toBeGreaterThan(to))
        await stack.edge.start()
        await endsOnTime(power, { value: 7, to: Date.now(), back: plain.power }, AFTER_BOOT_MS)
        if (!cloud) await stack.cloud.start()
        const released = cloud ? `released ${plain.power} (restart)` : 'released null (restart)'
        await reported(power, id, ['applied 7', released])
        expect(await power.register()).toBe(plain.power)
      })(),
  )

  test.runIf(isCampaign)(
    'back before a power cut accepts overrides as soon as the cloud has sent the time',
    { timeout },
    onBench(async ({ clock, power, plain, stepMs, cutThePower }) => {
      clock.stepTo(-stepMs)
      await cutThePower()
      const reqId = crypto.randomUUID()
      const to = Date.now() + 10_000
      const span = { from: Date.now() - stepMs, to }
      const { body } = await eventually(async () => {
        const answer = await power.override(8, span, reqId)
        expect(answer.status, answer.body.message).toBe(200)
        return answer
      })
      await registerIs(power, 8)
      await endsOnTime(power, { value: 8, to, back: plain.power })
      await reported(power, body.data.id, ['applied 8', `released ${plain.power} (ended)`])
    }),
  )

  test.runIf(isCampaign)(
    'back to the time that the cloud confirms trusts it, although it has seen a later one',
    { timeout },
    onBench(async ({ clock, power, stepMs, clockIsOff, cutThePower }) => {
      clock.stepTo(stepMs)
      await cutThePower()
      await clockIsOff(stepMs)
      clock.stepTo(0)
      await cutThePower()
      await eventually(() => power.place(7, { to: Date.now() + HOUR }))
      const to = Date.now() + 5_000
      await power.place(8, { to })
      await registerIs(power, 8)
      await endsOnTime(power, { value: 8, to, back: 7 })
    }),
  )
})
