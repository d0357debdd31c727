import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Point } from '../../device-parts.ts'
import type { Controller } from '../../testing/controller.ts'
import {
  canBeRead,
  cannotBeRead,
  cutLink,
  fallsSilent,
  forgets,
  restoreLink,
  setByHand,
  unwilling,
  willing,
} from './equipment-steps.ts'
import { Does, Step } from './step.ts'
import { bootAhead, bootBehind, crash, dieAt, pass, restart, stepClock } from './time-steps.ts'
import { IDS, type Id, isAnythingHeld, recover, send, systemOf, UNREACHABLE, type World } from './world.ts'

class Place extends Step {
  override mayDie = true
  readonly about: { id: Id; value: number; fromS: number; lastsS: number }
  constructor(about: Place['about']) {
    super()
    this.about = about
  }
  async act(world: World, device: Controller) {
    const { id, value, fromS, lastsS } = this.about
    const from = device.clock.now() + fromS * 1000
    const to = from + lastsS * 1000
    const data = { datapointId: id, value, from: formatTimestamp(from), to: formatTimestamp(to) }
    const reply = await send(world, device, 'demandResponseOverride', data)
    if (reply instanceof Failure) {
      expect(to, reply.message).toBeLessThanOrEqual(device.clock.now())
    } else world.model.accepted({ id: (reply as { id: string }).id, datapointId: id, value, from, to })
  }
  override toString = () => `place ${JSON.stringify(this.about)}`
}

class Cancel extends Step {
  override mayDie = true
  readonly which: number
  constructor(which: number) {
    super()
    this.which = which
  }
  override check = ({ model }: Readonly<World>) => model.overrides.length > 0
  async act(world: World, device: Controller) {
    const { overrides } = world.model
    // Picks one of the latest, which may not have ended.
    const recent = Math.min(8, overrides.length)
    const id = overrides[Math.max(0, overrides.length - 1 - (this.which % recent))]?.id ?? ''
    expect(await send(world, device, 'demandResponseCancel', { id })).toEqual({ success: true })
    world.model.cancelled(id)
  }
  override toString = () => `cancel ${this.which}`
}

const uplink = (up: boolean) =>
  new Does(`the cloud is ${up ? 'online' : 'offline'}`, async (_world, device) => {
    if (up) await device.reconnect()
    else device.uplink = false
  })

const confirms = (does: boolean) =>
  new Does(
    `the cloud ${does ? 'confirms' : 'does not confirm'}`,
    (_world, device) => {
      device.confirms = does
    },
    { settlesWithin: 11, mayDie: true },
  )

const schedule = (id: Id, want: World['deviation'][Id]) =>
  new Does(`a schedule claims ${JSON.stringify(want)} on ${id}`, async (world, device) => {
    if (want) world.deviation[id] = want
    else delete world.deviation[id]
    await device.commission(systemOf(world))
  })

const move = (host: string) =>
  new Does(
    `the equipment is commissioned at ${host}`,
    async (world, device) => {
      if (host === world.host) return
      const held = await isAnythingHeld(world, device)
      try {
        await device.commission(systemOf({ ...world, host }))
      } catch (error) {
        if (!device.dead) {
          expect((error as Error).message).toContain('settings.host')
          return
        }
        // Like an installer, loads the same file again.
        await recover(world, device)
        try {
          await device.commission(systemOf({ ...world, host }))
        } catch (again) {
          expect((again as Error).message).toContain('settings.host')
          return
        }
      }
      world.host = host
      expect(held, 'equipment was moved while it was held').toBe(false)
    },
    { mayDie: true },
  )

const placeOutOfReach = (value: number, lastsS: number) =>
  new Does(`place ${value} out of reach`, async (world, device) => {
    const [from, to] = [device.clock.now(), device.clock.now() + lastsS * 1000]
    const data = { datapointId: UNREACHABLE, value, from: formatTimestamp(from), to: formatTimestamp(to) }
    const reply = await send(world, device, 'demandResponseOverride', data)
    if (reply instanceof Failure) return
    world.model.accepted({ id: (reply as { id: string }).id, datapointId: UNREACHABLE, value, from, to })
  })

const peak = (kw: number) =>
  new Does(`the meter is at ${kw} kW`, async (world, device) => {
    device.equipment.points.set('meter', kw)
    world.mayShed = kw > 50
    await device.commission(systemOf(world))
  })

const anId = fc.constantFrom(...IDS)
const aValue = fc.constantFrom(20, 21, 22)
const someTime = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(0, 0.001, 1, 5, 29.999, 30, 60) },
  { weight: 3, arbitrary: fc.constant(600) },
  { weight: 1, arbitrary: fc.constant(7200) },
)
const anOverride = fc.record({
  id: anId,
  value: aValue,
  fromS: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0, -5, -600) }, fc.constantFrom(1, 20, 60, 3600)),
  lastsS: fc.constantFrom(1, 5, 30, 60, 600, 7200, 86_400),
})
const someSeconds = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(1, 60) }, fc.constantFrom(3600, 7200))
const wants = fc.constantFrom({ value: 30 }, { value: 20 }, { offset: 2 }, undefined)
const points = fc.constantFrom<Point>('flush:before', 'flush:after', 'write:before', 'write:after', 'report:confirmed')

/** Everything that may happen to a device. Common events are listed several times. */
export const steps = [
  ...Array.from({ length: 6 }, () => anOverride.map((about) => new Place(about))),
  ...Array.from({ length: 3 }, () => fc.nat().map((which) => new Cancel(which))),
  ...Array.from({ length: 4 }, () => someTime.map(pass)),
  ...Array.from({ length: 2 }, () => points.map(dieAt)),
  fc.constantFrom(0, 1, 45, 3600).map(restart),
  fc.constantFrom(0, 1, 45, 3600).map(crash),
  fc.tuple(someSeconds, fc.constantFrom(1, -1)).map(([seconds, sign]) => stepClock(seconds * sign)),
  fc
    .tuple(
      fc.constantFrom(90, 3600, 1e8),
      fc.constantFrom('clock' as const, 'cloud' as const),
      fc.constantFrom(0, 2, 5),
    )
    .map((what) => bootBehind(...what)),
  fc.constantFrom(90, 3600, 1e8).map(bootAhead),
  fc.constant(cutLink),
  fc.constant(restoreLink),
  fc.tuple(fc.constantFrom('refuse' as const, 'ignores' as const), anId).map((what) => unwilling(...what)),
  fc.constant(willing),
  anId.map(forgets),
  fc
    .tuple(anId, fc.constantFrom<World['plain'][Id]>(10, 20, 55, { image: 'NaN' }, { image: 'ffc0' }, 2n ** 60n + 1n))
    .map((what) => setByHand(...what)),
  anId.map(fallsSilent),
  anId.map(cannotBeRead),
  fc.constant(canBeRead),
  fc.constantFrom('one', 'two').map(move),
  fc.tuple(aValue, fc.constantFrom(1, 30, 600)).map((what) => placeOutOfReach(...what)),
  fc.boolean().map(uplink),
  fc.boolean().map(confirms),
  fc.tuple(anId, wants).map((what) => schedule(...what)),
  fc.constantFrom(0, 100).map(peak),
]
