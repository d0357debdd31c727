import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Point } from '../../device.ts'
import type { Controller } from '../../testing/controller.ts'
import {
  compare,
  IDS,
  type Id,
  isAnythingHeld,
  recover,
  send,
  systemOf,
  timeOf,
  UNREACHABLE,
  type World,
} from './world.ts'

let done = 0
/** How many steps were taken in all lives together. */
export const stepsDone = () => done

/** One step, and everything that must be true after it. */
abstract class Step implements fc.AsyncCommand<World, Controller> {
  abstract act(world: World, device: Controller): Promise<void>
  /** Seconds after which the device must have come to terms with what happened. */
  settlesWithin = 1
  /** May the device die over it? */
  mayDie = false

  check(_world: Readonly<World>): boolean {
    return true
  }

  async run(world: World, device: Controller): Promise<void> {
    if (this.mayDie) device.dieAt(world.diesAt)
    await this.act(world, device)
    await device.pass(this.settlesWithin)
    if (device.dead) await recover(world, device)
    device.dieAt(undefined)
    world.overrides.look(timeOf(device))
    await compare(world, device)
    done += 1
  }
}

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
    } else world.overrides.accepted({ id: (reply as { id: string }).id, datapointId: id, value, from, to })
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
  override check = ({ overrides }: Readonly<World>) => overrides.windows.length > 0
  async act(world: World, device: Controller) {
    const { windows } = world.overrides
    // Rather one of the latest, which may still stand.
    const window = windows[Math.max(0, windows.length - 1 - (this.which % Math.min(8, windows.length)))]
    const id = window?.id ?? ''
    expect(await send(world, device, 'demandResponseCancel', { id })).toEqual({ success: true })
    world.overrides.cancelled(id)
  }
  override toString = () => `cancel ${this.which}`
}

/** A step that is a few words long. */
class Does extends Step {
  readonly name: string
  readonly does: (world: World, device: Controller) => Promise<void> | void
  readonly may: (world: Readonly<World>) => boolean
  override settlesWithin: number
  override mayDie: boolean
  constructor(
    name: string,
    does: Does['does'],
    {
      settlesWithin = 1,
      may = () => true,
      mayDie = false,
    }: Partial<Pick<Does, 'settlesWithin' | 'may' | 'mayDie'>> = {},
  ) {
    super()
    this.name = name
    this.does = does
    this.may = may
    this.settlesWithin = settlesWithin
    this.mayDie = mayDie
  }
  override check = (world: Readonly<World>) => this.may(world)
  async act(world: World, device: Controller) {
    await this.does(world, device)
  }
  override toString = () => this.name
}

export const pass = (seconds: number) =>
  new Does(`pass ${seconds} s`, (_world, device) => device.pass(seconds), { mayDie: true })

const restart = (seconds: number) =>
  new Does(`restart ${seconds} s later`, async (world, device) => {
    await device.restart(seconds)
    world.overrides.restarted(timeOf(device))
  })

const crash = (seconds: number) =>
  new Does(`crash, up again ${seconds} s later`, async (world, device) => {
    await device.crash(seconds)
    world.overrides.restarted(timeOf(device))
  })

const dieAt = (point: Point) =>
  new Does(`die at the next ${point}`, (world) => {
    world.diesAt = point
  })

// The next look at the clock is up to 30 s away.
const stepClock = (seconds: number) =>
  new Does(
    `the clock is set by ${seconds} s, and the cloud agrees`,
    async (_world, device) => {
      device.clock.step(seconds * 1000)
      await device.reconnect()
    },
    { settlesWithin: 31 },
  )

/** What the controller does while it does not know the time: nothing is held for demand response. */
async function expectNothingHeld(world: World, device: Controller): Promise<void> {
  const values = await device.values()
  for (const id of IDS) expect(values[id]?.lockedBy, `who holds ${id} without the time`).not.toBe('demand-response')
  await expect(device.override('a', 1, 0, 60)).rejects.toThrow('clock')
  for (const id of IDS) {
    if (world.cut || world.unwilling.has(id) || world.mayShed) continue
    const setpoints = world.overrides.windows.filter(({ datapointId }) => datapointId === id).map(({ value }) => value)
    const wanted = [world.plain[id], ...Object.values(world.deviation[id] ?? {})]
    const held = device.equipment.points.get(id)
    if (setpoints.some((value) => value === held)) expect(wanted, `${id} is left at a setpoint`).toContainEqual(held)
  }
}

/** A start in the past, which the controller learns of from its own clock or from the cloud. */
const bootBehind = (seconds: number, from: 'clock' | 'cloud', afterS: number) =>
  new Does(
    `restart with a clock ${seconds} s behind, set right by the ${from} after ${afterS} s`,
    async (world, device) => {
      const ms = seconds * 1000
      device.clock.step(-ms)
      await device.restart()
      await device.pass(afterS)
      if (afterS > 3) await expectNothingHeld(world, device)
      if (from === 'cloud') {
        const trueTime = device.clock.now() + ms
        await device.reconnect(trueTime)
        await device.pass(1)
        world.overrides.restarted({ wall: trueTime + 1000, monotonic: device.clock.monotonic() })
        const values = await device.values()
        for (const id of IDS) {
          const isHeld = values[id]?.lockedBy === 'demand-response'
          expect(isHeld, `${id} is held by the time of the cloud`).toBe(world.overrides.ruling(id) !== undefined)
        }
      }
      device.clock.step(ms)
      if (from === 'cloud') await device.reconnect()
      world.overrides.restarted(timeOf(device))
    },
    { settlesWithin: 31 },
  )

/** A start in the future: overrides whose time has passed by then are over, and stay over when the clock is set right. */
const bootAhead = (seconds: number) =>
  new Does(
    `restart with a clock ${seconds} s ahead, set right by the cloud`,
    async (world, device) => {
      device.clock.step(seconds * 1000)
      await device.restart()
      world.overrides.restarted(timeOf(device))
      await device.pass(1)
      world.overrides.look(timeOf(device))
      device.clock.step(-seconds * 1000)
      await device.reconnect()
    },
    { settlesWithin: 31 },
  )

const cutLink = new Does('the link to the equipment is cut', (world, { equipment }) => {
  equipment.cut = 'cut'
  world.cut = true
})

export const mendLink = new Does(
  'the link to the equipment is mended',
  (world, { equipment }) => {
    equipment.cut = undefined
    world.cut = false
  },
  { settlesWithin: 40, mayDie: true },
)

const unwilling = (how: 'refuse' | 'ignores', id: Id) =>
  new Does(`${id} ${how} what is written`, (world, { equipment }) => {
    // What is ignored and cannot be read passes for done.
    equipment.unreadable.delete(id)
    equipment[how].add(id)
    world.unwilling.add(id)
  })

export const willing = new Does(
  'all equipment does as it is told',
  (world, { equipment }) => {
    equipment.refuse.clear()
    equipment.ignores.clear()
    equipment.silent.clear()
    equipment.unreadable.clear()
    world.unwilling.clear()
  },
  { settlesWithin: 40, mayDie: true },
)

const fallsSilent = (id: Id) =>
  new Does(`${id} answers nothing any more`, (world, { equipment }) => {
    equipment.silent.add(id)
    world.unwilling.add(id)
    world.unread.add(id)
  })

const cannotBeRead = (id: Id) =>
  new Does(`${id} answers reads with an exception`, (world, { equipment }) => {
    if (equipment.ignores.has(id)) return
    equipment.unreadable.set(id, 'exception 4')
    world.unread.add(id)
  })

const canBeRead = new Does('everything can be read', (_world, { equipment }) => equipment.unreadable.clear(), {
  settlesWithin: 6,
})

const forgets = (id: Id) =>
  new Does(
    `${id} loses what it was set to`,
    async (world, device) => {
      // What cannot be read, or is not held for lack of a number to add to, cannot be seen to be lost.
      if (device.equipment.unreadable.has(id) || typeof world.plain[id] !== 'number') return
      if ((await device.values())[id]?.locked) device.equipment.points.set(id, 77)
    },
    { settlesWithin: 15, may: ({ cut, unwilling }) => !cut && !unwilling.has(id) },
  )

const turnedByHand = (id: Id, value: World['plain'][Id]) =>
  new Does(
    `${id} is turned to ${typeof value === 'object' ? value.image : value} by hand`,
    async (world, device) => {
      if ((await device.values())[id]?.locked) return
      // A reading from before would be restored where the value cannot be read.
      if (device.equipment.unreadable.has(id)) return
      device.equipment.points.set(id, value)
      world.plain[id] = value
    },
    // A poll sees it: what falls silent then is restored to it.
    { settlesWithin: 6, may: ({ cut, unwilling }) => !cut && !unwilling.has(id) },
  )

const uplink = (up: boolean) =>
  new Does(`the cloud is ${up ? 'there' : 'gone'}`, async (_world, device) => {
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
  new Does(`a schedule wants ${JSON.stringify(want)} of ${id}`, async (world, device) => {
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
        // As an installer would: the same file again.
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
    world.overrides.accepted({ id: (reply as { id: string }).id, datapointId: UNREACHABLE, value, from, to })
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
const aWindow = fc.record({
  id: anId,
  value: aValue,
  fromS: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0, -5, -600) }, fc.constantFrom(1, 20, 60, 3600)),
  lastsS: fc.constantFrom(1, 5, 30, 60, 600, 7200, 86_400),
})
const someSeconds = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(1, 60) }, fc.constantFrom(3600, 7200))
const wants = fc.constantFrom({ value: 30 }, { value: 20 }, { offset: 2 }, undefined)
const points = fc.constantFrom<Point>('flush:before', 'flush:after', 'write:before', 'write:after', 'report:confirmed')

/** Everything that may happen to a device, the usual more often. */
export const steps = [
  ...Array.from({ length: 6 }, () => aWindow.map((about) => new Place(about))),
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
  fc.constant(mendLink),
  fc.tuple(fc.constantFrom('refuse' as const, 'ignores' as const), anId).map((what) => unwilling(...what)),
  fc.constant(willing),
  anId.map(forgets),
  fc
    .tuple(anId, fc.constantFrom<World['plain'][Id]>(10, 20, 55, { image: 'NaN' }, { image: 'ffc0' }, 2n ** 60n + 1n))
    .map((what) => turnedByHand(...what)),
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
