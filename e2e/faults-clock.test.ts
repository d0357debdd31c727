import { isCampaign, repeat, repetitions } from '@plantroom/testkit/repetitions'
import { describe, expect, test } from 'vitest'
import {
  type Dispatchable,
  endsOnTime,
  isFree,
  isHeld,
  ofBatteryRoom,
  registerIs,
  reported,
} from './support/dispatchable.ts'
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
  /** Waits until the controller's timestamps are off by this much. */
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
            const { timestamp } = await power.shown()
            expect(Math.abs(Date.parse(timestamp) - (Date.now() + byMs))).toBeLessThan(MINUTE)
          }),
      })
    })
}

describe.skipIf(!HAS_FAKETIME)('a controller whose clock is stepped', () => {
  test(
    'back during an override ends it on time',
    { timeout },
    onBench(async ({ clock, power, plain, stepMs, clockIsOff }) => {
      const to = Date.now() + 5_000
      const id = await power.place(7, { to })
      clock.stepTo(-stepMs)
      await clockIsOff(-stepMs)
      await registerIs(power, 7)
      await endsOnTime(power, { value: 7, to, back: plain.power })
      await reported(power, id, ['applied 7', `released ${plain.power} (ended)`])
    }),
  )

  test.runIf(isCampaign)(
    'forward ends the overrides that it passed, for good, and starts those that it reached',
    { timeout },
    onBench(async ({ clock, power, limit, plain, clockIsOff, cutThePower }) => {
      const ended = await power.place(7, { to: Date.now() + 20 * MINUTE })
      const queued = await limit.place(12, { from: Date.now() + 30 * MINUTE, to: Date.now() + 90 * MINUTE })
      await registerIs(power, 7)
      await isFree(limit)
      clock.stepTo(40 * MINUTE)
      await clockIsOff(40 * MINUTE)
      await registerIs(power, plain.power)
      await registerIs(limit, 12)
      await isHeld(limit)

      clock.stepTo(0)
      await clockIsOff(0)
      await isFree(power)
      expect((await limit.cancel(queued)).status).toBe(200)
      await registerIs(limit, plain.limit)
      await cutThePower()
      await isFree(power)
      await isFree(limit)
      expect(await power.register()).toBe(plain.power)
      await reported(power, ended, ['applied 7', `released ${plain.power} (ended)`])
      await reported(limit, queued, ['applied 12', `released ${plain.limit} (cancelled)`])
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
      const end = { value: 7, to, back: plain.power, earlyMs: CLOUD_TIME_OFF_MS }
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

  test(
    'back before a power cut rejects overrides until its clock is corrected',
    { timeout },
    onBench(async ({ clock, power, plain, stepMs, clockIsOff, cutThePower }) => {
      clock.stepTo(-stepMs)
      await cutThePower()
      const reqId = crypto.randomUUID()
      // `from` is in the past for the controller, too: without the check it would apply the override immediately.
      const span = { from: Date.now() - 2 * stepMs, to: Date.now() + HOUR }
      const { status, body } = await power.override(7, span, reqId)
      expect(status).toBe(499)
      expect(body.message).toMatch(/clock is wrong.*set its clock/)
      await clockIsOff(-stepMs)
      await isFree(power)
      expect((await power.override(7, span, reqId)).status).toBe(499)
      expect(await power.register()).toBe(plain.power)

      clock.stepTo(0)
      const again = await power.override(8, { ...span, from: Date.now() }, reqId)
      expect(again.status, again.body.message).toBe(200)
      await registerIs(power, 8)
      await reported(power, again.body.data.id, ['applied 8'])
      expect(await power.reports()).toHaveLength(1)
    }),
  )

  test(
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
