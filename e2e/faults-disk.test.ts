import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Dispatchable, endsOnTime, isFree, ofBatteryRoom, registerIs, reported } from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import {
  type FailingDisk,
  failingDisk,
  MAY_MOUNT,
  MAY_MOUNT_FILES,
  type SmallDisk,
  smallDisk,
} from './support/small-disk.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000

let stack: Stack
let power: Dispatchable
let limit: Dispatchable
/** Values of the registers before any dispatch. */
let plain: { power: number; limit: number }

/** Starts a stack whose controller has its data folder on this disk. */
async function startOn(disk: { path: string }): Promise<void> {
  stack = await startStack({ edge: async () => ({ PLANTROOM_DATA: disk.path }) })
  power = ofBatteryRoom(stack, 'Charge power')
  limit = ofBatteryRoom(stack, 'Charge power limit')
  await eventually(async () => expect((await power.shown()).value).toBe(await power.register()))
  plain = { power: await power.register(), limit: await limit.register() }
}

/** Kills and restarts the controller. Resolves when it has read its equipment again. */
async function cutThePower(): Promise<void> {
  await stack.edge.kill()
  await stack.edge.start()
  await eventually(async () => expect((await power.shown()).error).toBeUndefined())
}

describe.skipIf(!MAY_MOUNT)('a controller whose disk is full', () => {
  let disk: SmallDisk

  beforeEach(async () => {
    disk = await smallDisk()
    await startOn(disk)
  })
  afterEach(async () => {
    await stack?.[Symbol.asyncDispose]()
    await disk?.[Symbol.asyncDispose]()
  })

  test('rejects new overrides with the reason until there is space again', async () => {
    disk.fill()
    const reqId = crypto.randomUUID()
    const { status, body } = await power.override(7, { to: Date.now() + HOUR }, reqId)
    expect({ status, code: body.code }).toEqual({ status: 499, code: 'DEVICE_REJECTED' })
    expect(body.message).toMatch(/disk.*space.*not accepted.*free some space/)
    await isFree(power)
    expect(await power.register()).toBe(plain.power)

    disk.free()
    const again = await power.override(8, { to: Date.now() + HOUR }, reqId)
    expect(again.status, again.body.message).toBe(200)
    await registerIs(power, 8)
    await reported(power, again.body.data.id, ['applied 8'])
    expect(await power.reports()).toHaveLength(1)
  })

  test('releases a cancelled override for good', async () => {
    const id = await power.place(7, { to: Date.now() + HOUR })
    await registerIs(power, 7)
    disk.fill()
    const { status, body } = await power.cancel(id)
    expect({ status, data: body.data }).toEqual({ status: 200, data: { success: true } })
    await registerIs(power, plain.power)
    await isFree(power)

    // The controller may have given up reserved space to store the cancel: fill that too.
    disk.fill()
    await cutThePower()
    await isFree(power)
    expect(await power.register()).toBe(plain.power)
    expect((await power.cancel(id)).body.data).toEqual({ success: true })

    disk.free()
    await reported(power, id, ['applied 7', `released ${plain.power} (cancelled)`])
    expect(await power.reports()).toHaveLength(2)
  })

  test('ends and starts overrides on time, even after a power cut', async () => {
    const to = Date.now() + 5_000
    const ended = await power.place(7, { to })
    const begun = await limit.place(12, { from: to, to: to + HOUR })
    await registerIs(power, 7)
    disk.fill()
    await endsOnTime(power, { value: 7, to, back: plain.power })
    await registerIs(limit, 12)

    disk.fill()
    await cutThePower()
    await isFree(power)
    await registerIs(limit, 12)
    expect(await power.register()).toBe(plain.power)

    disk.free()
    await reported(power, ended, ['applied 7', `released ${plain.power} (ended)`])
    await reported(limit, begun, ['applied 12'])
  })

  test.runIf(isCampaign)(
    'ends and starts overrides without any reserved space left, and reports once there is space',
    async () => {
      const sacrificed = await power.place(6, { to: Date.now() + HOUR })
      const to = Date.now() + 5_000
      const ended = await power.place(7, { to })
      const begun = await limit.place(12, { from: to, to: to + HOUR })
      await registerIs(power, 7)
      disk.fill()
      expect((await power.cancel(sacrificed)).status).toBe(200)
      disk.fill()
      await endsOnTime(power, { value: 7, to, back: plain.power })
      await registerIs(limit, 12)
      expect((await limit.override(13, { to: Date.now() + HOUR })).status).toBe(499)
      expect(await limit.register()).toBe(12)

      disk.free()
      await reported(power, sacrificed, ['applied 6', 'released null (cancelled)'])
      await reported(power, ended, ['applied 7', `released ${plain.power} (ended)`])
      await reported(limit, begun, ['applied 12'])
      await eventually(() => limit.place(13, { to: Date.now() + HOUR }))
      await registerIs(limit, 13)
    },
  )

  test.runIf(isCampaign)('stores a cancel for every override', async () => {
    const ids: string[] = []
    while (ids.length < 60) ids.push(await power.place(ids.length % 2 ? 7 : 8, { to: Date.now() + HOUR }))
    disk.fill()
    for (const id of ids) expect((await power.cancel(id)).status).toBe(200)
    await registerIs(power, plain.power)
    await cutThePower()
    await isFree(power)
    expect(await power.register()).toBe(plain.power)
  })
})

describe.skipIf(!MAY_MOUNT_FILES)('a controller whose disk stalls', () => {
  let disk: FailingDisk

  beforeEach(async () => {
    disk = await failingDisk()
    await startOn(disk)
  })
  afterEach(async () => {
    await disk?.thaw()
    await stack?.[Symbol.asyncDispose]()
    await disk?.[Symbol.asyncDispose]()
  })

  test('never writes the override of a caller who has received 502, and takes the same request again', async () => {
    const [reqId, span] = [crypto.randomUUID(), { from: Date.now(), to: Date.now() + HOUR }]
    await disk.freeze()
    expect((await power.override(7, span, reqId)).status).toBe(502)
    await disk.thaw()
    // What follows from the late flush has happened when a later override is held.
    await eventually(() => limit.place(12, { to: Date.now() + HOUR }))
    await registerIs(limit, 12)
    expect(await power.register()).toBe(plain.power)
    await isFree(power)
    expect(await power.reports()).toEqual([])

    const again = await power.override(7, span, reqId)
    expect(again.status, again.body.message).toBe(200)
    await registerIs(power, 7)
    await reported(power, again.body.data.id, ['applied 7'])
  })
})

describe.skipIf(!MAY_MOUNT_FILES)('a controller whose disk turns read-only', () => {
  let disk: FailingDisk

  beforeEach(async () => {
    disk = await failingDisk()
    await startOn(disk)
  })
  afterEach(async () => {
    await stack?.[Symbol.asyncDispose]()
    await disk?.[Symbol.asyncDispose]()
  })

  test('rejects new overrides and releases the active ones', async () => {
    const to = Date.now() + 5_000
    const id = await power.place(7, { to: Date.now() + HOUR })
    await limit.place(12, { to })
    await registerIs(power, 7)
    disk.fail()

    const { status, body } = await power.override(9, { to: Date.now() + HOUR })
    expect(status).toBe(499)
    expect(body.message).toMatch(/disk.*not accepted.*replace the disk/)
    expect(await power.register()).toBe(7)

    expect((await power.cancel(id)).body.data).toEqual({ success: true })
    await registerIs(power, plain.power)
    await isFree(power)
    await endsOnTime(limit, { value: 12, to, back: plain.limit })
    await isFree(limit)
  })
})
