import { expect } from 'vitest'
import type { Point } from '../../device-parts.ts'
import type { Controller } from '../../testing/controller.ts'
import { Does } from './step.ts'
import { IDS, timeOf, type World } from './world.ts'

export const pass = (seconds: number) =>
  new Does(`pass ${seconds} s`, (_world, device) => device.pass(seconds), { mayDie: true })

export const restart = (seconds: number) =>
  new Does(`restart ${seconds} s later`, async (world, device) => {
    await device.restart(seconds)
    world.model.restarted(timeOf(device))
  })

export const crash = (seconds: number) =>
  new Does(`crash, and start ${seconds} s later`, async (world, device) => {
    await device.crash(seconds)
    world.model.restarted(timeOf(device))
  })

export const dieAt = (point: Point) =>
  new Does(`die at the next ${point}`, (world) => {
    world.diesAt = point
  })

// The device may take up to 30 s to look at the clock.
export const stepClock = (seconds: number) =>
  new Does(
    `the clock is set by ${seconds} s, and the cloud agrees`,
    async (_world, device) => {
      device.clock.step(seconds * 1000)
      await device.reconnect()
    },
    { settlesWithin: 31 },
  )

/** Checks that demand response holds nothing while the controller does not know the time. */
async function expectNothingHeld(world: World, device: Controller): Promise<void> {
  const values = await device.values()
  for (const id of IDS)
    expect(values[id]?.lockedBy, `the writer that holds ${id} without the time`).not.toBe('demand-response')
  await expect(device.override('a', 1, 0, 60)).rejects.toThrow('clock')
  for (const id of IDS) {
    if (world.cut || world.unwilling.has(id) || world.mayShed) continue
    const setpoints = world.model.overrides.filter(({ datapointId }) => datapointId === id).map(({ value }) => value)
    const wanted = [world.plain[id], ...Object.values(world.deviation[id] ?? {})]
    const held = device.equipment.points.get(id)
    if (setpoints.some((value) => value === held)) expect(wanted, `${id} is left at a setpoint`).toContainEqual(held)
  }
}

/** Starts with a clock in the past, corrected by the clock itself or by the cloud. */
export const bootBehind = (seconds: number, from: 'clock' | 'cloud', afterS: number) =>
  new Does(
    `restart with a clock ${seconds} s behind, corrected by the ${from} after ${afterS} s`,
    async (world, device) => {
      const ms = seconds * 1000
      await device.stop()
      device.clock.step(-ms)
      await device.restart()
      await device.pass(afterS)
      if (afterS > 3) await expectNothingHeld(world, device)
      if (from === 'cloud') {
        const trueTime = device.clock.now() + ms
        await device.reconnect(trueTime)
        await device.pass(1)
        world.model.restarted({ wall: trueTime + 1000, monotonic: device.clock.monotonic() })
        const values = await device.values()
        for (const id of IDS) {
          const isHeld = values[id]?.lockedBy === 'demand-response'
          expect(isHeld, `${id} is held, judged by the cloud's time`).toBe(world.model.active(id) !== undefined)
        }
      }
      device.clock.step(ms)
      if (from === 'cloud') await device.reconnect()
      world.model.restarted(timeOf(device))
    },
    { settlesWithin: 31 },
  )

/** Starts with a clock in the future. Overrides that end by it stay ended when the clock is corrected. */
export const bootAhead = (seconds: number) =>
  new Does(
    `restart with a clock ${seconds} s ahead, corrected by the cloud`,
    async (world, device) => {
      await device.stop()
      device.clock.step(seconds * 1000)
      await device.restart()
      world.model.restarted(timeOf(device))
      await device.pass(1)
      world.model.look(timeOf(device))
      device.clock.step(-seconds * 1000)
      await device.reconnect()
    },
    { settlesWithin: 31 },
  )
