import { createManualClock } from '@plantroom/testkit/manual-clock'
import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Controller } from '../testing/controller.ts'
import { aPowerController } from '../testing/power-controller.ts'

const MIN = 0
const MAX = 50
const STEP = 10
const MIN_OFF_S = 90
const MAX_STARTS = 3
const PLAIN = 0

interface Written {
  at: number
  from: number
  to: number
}

type Act = (device: Controller, ids: string[]) => Promise<unknown>

/** Shown by its name when a property fails. */
const named = (name: string, act: Act) => ({ act, [fc.toStringMethod]: () => name })

const seconds = fc.integer({ min: 1, max: 200 })
const act: fc.Arbitrary<{ act: Act }> = fc.oneof(
  fc.record({ value: fc.integer({ min: -20, max: 80 }), from: fc.nat(120), length: seconds }).map((window) =>
    named(`override ${JSON.stringify(window)}`, async (device, ids) => {
      const { value, from, length } = window
      const id = await device.override('power', value, from, from + length).catch(() => undefined)
      if (id !== undefined) ids.push(id)
    }),
  ),
  fc.nat(20).map((index) =>
    named(`cancel ${index}`, async (device, ids) => {
      const id = ids[index % Math.max(1, ids.length)]
      if (id !== undefined) await device.cancel(id)
    }),
  ),
  seconds.map((wait) => named(`pass ${wait}`, (device) => device.pass(wait))),
  fc.integer({ min: 1, max: 30 }).map((wait) => named(`crash ${wait}`, (device) => device.crash(wait))),
  fc.boolean().map((isCut) =>
    named(isCut ? 'cut the link' : 'restore the link', async (device) => {
      device.equipment.cut = isCut ? 'unplugged' : undefined
    }),
  ),
)

/** Records each write with the value that it replaced. */
function recordWrites(device: Controller): Written[] {
  const written: Written[] = []
  const { equipment, clock } = device
  equipment.beforeWrite = (id, raw) => {
    if (id !== 'power') return
    written.push({ at: clock.now(), from: Number(equipment.points.get('power')), to: Number(raw) })
  }
  return written
}

test('whatever callers send and whatever fails, the equipment stays within its limits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 25 }), fc.boolean(), async (acts, isStepped) => {
      const limits = isStepped
        ? { min: MIN, max: MAX, maxStepPerMinute: STEP }
        : { min: MIN, max: MAX, minOffSeconds: MIN_OFF_S, maxStartsPerDay: MAX_STARTS }
      const device = await aPowerController({
        power: { limits },
        points: { power: PLAIN },
        clock: createManualClock(Date.UTC(2030, 0, 1, 12)),
      })
      await device.pass(1)
      const written = recordWrites(device)
      const ids: string[] = []
      for (const { act } of acts) await act(device, ids)
      device.equipment.cut = undefined
      await device.pass(1500)

      for (const { to } of written) expect(to >= MIN && to <= MAX, `${to} is outside the limits`).toBe(true)
      if (isStepped) expectSteps(written)
      else expectSwitches(written)
      expect(device.equipment.points.get('power'), 'everything has ended').toBe(PLAIN)
      await device.stop()
    }),
    cases(10),
  )
}, 120_000)

function expectSteps(written: readonly Written[]): void {
  for (const { at } of written) {
    const recent = written.filter((one) => one.at > at - 60_000 && one.at <= at)
    const way = recent.reduce((sum, { from, to }) => sum + Math.abs(to - from), 0)
    expect(way, JSON.stringify(recent)).toBeLessThanOrEqual(STEP + 1e-6)
  }
}

function expectSwitches(written: readonly Written[]): void {
  let starts = 0
  let stoppedAt = Number.NEGATIVE_INFINITY
  for (const { at, from, to } of written) {
    if (from === 0 && to !== 0) {
      starts += 1
      expect(at - stoppedAt, JSON.stringify(written)).toBeGreaterThanOrEqual(MIN_OFF_S * 1000)
    }
    if (from !== 0 && to === 0) stoppedAt = at
  }
  expect(starts).toBeLessThanOrEqual(MAX_STARTS)
}
