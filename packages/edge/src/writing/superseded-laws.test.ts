import { createManualClock } from '@plantroom/testkit/manual-clock'
import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Controller } from '../testing/controller.ts'
import { aPowerController } from '../testing/power-controller.ts'

const MIN_ON_S = 120
const MIN_OFF_S = 90

interface Placed {
  id: string
  value: number
  from: number
  to: number
  isCancelled: boolean
}

type Act = (device: Controller, placed: Placed[]) => Promise<unknown>

/** Shown by its name when a property fails. */
const named = (name: string, act: Act) => ({ act, [fc.toStringMethod]: () => name })

const seconds = fc.integer({ min: 1, max: 100 })
const window = fc.record({ isOn: fc.boolean(), from: fc.nat(60), length: fc.integer({ min: 5, max: 300 }) })

async function place(device: Controller, placed: Placed[], about: { isOn: boolean; from: number; length: number }) {
  const { isOn, from, length } = about
  // Every value but 0 is of one override only, so that the register says whose it is.
  const value = isOn ? 100 + placed.length : 0
  const at = device.clock.now()
  const id = await device.override('power', value, from, from + length).catch(() => undefined)
  const times = { from: at + from * 1000, to: at + (from + length) * 1000 }
  if (id !== undefined) placed.push({ id, value, ...times, isCancelled: false })
}

const act = fc.oneof(
  window.map((one) => named(`override ${JSON.stringify(one)}`, (device, placed) => place(device, placed, one))),
  // Placed ahead, so that neither is refused: the second one supersedes the first soon after it has started.
  fc.tuple(window, fc.integer({ min: 1, max: 40 })).map(([first, later]) =>
    named(`overtake ${JSON.stringify(first)} after ${later}`, async (device, placed) => {
      await place(device, placed, first)
      await place(device, placed, { ...first, isOn: !first.isOn, from: first.from + later })
    }),
  ),
  fc.nat(20).map((index) =>
    named(`cancel ${index}`, async (device, placed) => {
      const one = placed[index % Math.max(1, placed.length)]
      if (!one) return
      one.isCancelled = true
      await device.cancel(one.id)
    }),
  ),
  seconds.map((wait) => named(`pass ${wait}`, (device) => device.pass(wait))),
  fc.integer({ min: 1, max: 30 }).map((wait) => named(`crash ${wait}`, (device) => device.crash(wait))),
)

const isRunning = ({ from, to, isCancelled }: Placed, now: number) => from <= now && now < to && !isCancelled

test('limits that make an override wait neither keep the value of one that is over nor switch off early', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 5, maxLength: 25 }),
      fc.constantFrom(0, 7),
      fc.constantFrom(
        { minOnSeconds: MIN_ON_S },
        { minOffSeconds: MIN_OFF_S },
        { minOnSeconds: MIN_ON_S, minOffSeconds: MIN_OFF_S },
      ),
      async (acts, plain, limits) => {
        const clock = createManualClock(Date.UTC(2030, 0, 1, 12))
        const device = await aPowerController({ power: { limits }, points: { power: plain }, clock })
        await device.pass(1)
        const placed: Placed[] = []
        const register = () => Number(device.equipment.points.get('power'))
        const early: number[] = []
        let onSince = Number.NEGATIVE_INFINITY
        device.equipment.beforeWrite = (id, raw) => {
          if (id !== 'power') return
          const [before, now] = [register(), clock.now()]
          const isEarly = before !== 0 && Number(raw) === 0 && now - onSince < MIN_ON_S * 1000
          const owner = placed.find(({ value }) => value === before)
          if (isEarly && owner && isRunning(owner, now) && 'minOnSeconds' in limits) early.push(before)
          if (before === 0 && Number(raw) !== 0) onSince = now
        }
        for (const { act } of acts) {
          await act(device, placed)
          // Time for the write, also after a crash.
          await device.pass(2)
          const value = register()
          const owners = placed.filter((one) => one.value === value)
          const isAllowed = value === plain || owners.some((one) => isRunning(one, clock.now()))
          expect(isAllowed || `${value} is still there, and its override is over`).toBe(true)
        }
        // Collected: what is thrown in a write only makes the write fail.
        expect(early, 'values that were switched off while their override ran').toEqual([])
        await device.pass(700)
        expect(register(), 'everything has ended').toBe(plain)
        await device.stop()
      },
    ),
    cases(12),
  )
}, 120_000)
