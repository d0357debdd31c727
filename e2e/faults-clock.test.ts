import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
import { type OwnFolder, ownFolder } from './support/folder.ts'
import { type Stack, startStack } from './support/stack.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** After a restart, as the design has it. */
const AFTER_BOOT_MS = 5_000

// The cloud and whoever dispatches are on real time throughout: only the device's own clock is wrong.
describe.skipIf(!HAS_FAKETIME)('a device whose clock is stepped', () => {
  let folder: OwnFolder
  let clock: WallClock
  let stack: Stack
  let power: Dispatchable
  let limit: Dispatchable
  /** What stood in the registers before anybody dispatched. */
  let plain: { power: number; limit: number }

  beforeEach(async () => {
    folder = ownFolder()
    clock = wallClock(folder.path)
    stack = await startStack({ edge: async () => clock.settings })
    power = ofBatteryRoom(stack, 'Charge power')
    limit = ofBatteryRoom(stack, 'Charge power limit')
    await eventually(async () => expect((await power.shown()).value).toBe(await power.register()))
    plain = { power: await power.register(), limit: await limit.register() }
  })
  afterEach(async () => {
    await stack?.[Symbol.asyncDispose]()
    await folder?.[Symbol.asyncDispose]()
  })

  /** As after a power cut, with whatever time the clock has by then. Resolves when the device takes commands again. */
  async function cutThePower(): Promise<void> {
    const { pid } = stack.edge
    await stack.edge.kill()
    clock.forget(pid)
    await stack.edge.start()
    await eventually(async () => expect((await power.shown()).error).toBeUndefined())
  }

  /** The device itself says what time it has. */
  const clockIsOff = (byMs: number) =>
    eventually(async () => {
      const { timestamp } = await power.shown()
      expect(Math.abs(Date.parse(timestamp) - (Date.now() + byMs))).toBeLessThan(MINUTE)
    })

  test('back in the middle of a window ends it on time', async () => {
    const to = Date.now() + 4_000
    const id = await power.place(7, { to })
    clock.stepTo(-HOUR)
    await clockIsOff(-HOUR)
    await registerIs(power, 7)
    await endsOnTime(power, { value: 7, to, back: plain.power })
    await reported(power, id, ['applied 7', `released ${plain.power} (ended)`])
  })

  test('forward ends what it has passed over, for good, and begins what it has reached', async () => {
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
  })

  test('back before a power cut neither interrupts a window nor lengthens it', async () => {
    const to = Date.now() + 6_000
    const id = await power.place(7, { to })
    await registerIs(power, 7)
    clock.stepTo(-HOUR)
    await cutThePower()
    await endsOnTime(power, { value: 7, to, back: plain.power }, AFTER_BOOT_MS)
    await reported(power, id, ['applied 7', `released ${plain.power} (ended)`])
  })

  test.each([true, false])(
    'back before it starts after `to` never brings the window back; cloud: %j',
    async (cloud) => {
      const to = Date.now() + 2_500
      const id = await power.place(7, { to })
      await registerIs(power, 7)
      const { pid } = stack.edge
      await stack.edge.kill()
      if (!cloud) await stack.cloud.kill()
      clock.forget(pid)
      clock.stepTo(-HOUR)
      await eventually(() => expect(Date.now()).toBeGreaterThan(to))
      const started = Date.now()
      await stack.edge.start()
      await endsOnTime(power, { value: 7, to: started, back: plain.power }, AFTER_BOOT_MS)
      if (!cloud) await stack.cloud.start()
      await reported(power, id, ['applied 7', cloud ? `released ${plain.power} (restart)` : 'released null (restart)'])
      expect(await power.register()).toBe(plain.power)
    },
  )

  test('back before a power cut takes no override until its clock is right again', async () => {
    clock.stepTo(-HOUR)
    await cutThePower()
    const reqId = crypto.randomUUID()
    // From a past that is past for the device too: it would be applied at once.
    const span = { from: Date.now() - 2 * HOUR, to: Date.now() + HOUR }
    const { status, body } = await power.override(7, span, reqId)
    expect(status).toBe(499)
    expect(body.message).toMatch(/clock is wrong.*set its clock/)
    await clockIsOff(-HOUR)
    await isFree(power)
    expect((await power.override(7, span, reqId)).status).toBe(499)
    expect(await power.register()).toBe(plain.power)

    clock.stepTo(0)
    const again = await power.override(8, { ...span, from: Date.now() }, reqId)
    expect(again.status, again.body.message).toBe(200)
    await registerIs(power, 8)
    await reported(power, again.body.data.id, ['applied 8'])
    expect(await power.reports()).toHaveLength(1)
  })

  test('back to what the cloud confirms is believed, though it has seen a later time', async () => {
    clock.stepTo(HOUR)
    await cutThePower()
    await clockIsOff(HOUR)
    clock.stepTo(0)
    await cutThePower()
    await eventually(() => power.place(7, { to: Date.now() + HOUR }))
    const to = Date.now() + 3_000
    await power.place(8, { to })
    await registerIs(power, 8)
    await endsOnTime(power, { value: 8, to, back: 7 })
  })
})
