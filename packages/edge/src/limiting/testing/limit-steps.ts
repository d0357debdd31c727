import { randomUUID } from 'node:crypto'
import type { CommandName } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { Point } from '../../device-parts.ts'
import { callAgain } from '../../testing/call-again.ts'
import type { Controller } from '../../testing/controller.ts'
import { compare, SETTLED_MS, TOLERANCE_KW } from './limits-laws.ts'
import {
  GUARANTEED_KW,
  inForce,
  type LimitsWorld,
  loadIds,
  look,
  restarted,
  siteKw,
  systemOf,
  timeOf,
} from './limits-world.ts'

type Act = (world: LimitsWorld, device: Controller) => Promise<void> | void

interface About {
  /** Seconds after which the controller must have reacted. */
  settles?: number
  mayDie?: boolean
  /** Nothing but the controller moves in this step, so that no write may bring the site above its ceiling. */
  isCalm?: boolean
}

/** One step, followed by a check of everything that must be true after it. */
class LimitStep implements fc.AsyncCommand<LimitsWorld, Controller> {
  readonly name: string
  readonly act: Act
  readonly about: About
  constructor(name: string, act: Act, about: About = {}) {
    this.name = name
    this.act = act
    this.about = about
  }
  check = () => true
  async run(world: LimitsWorld, device: Controller): Promise<void> {
    const { settles = 6, mayDie = false, isCalm = false } = this.about
    const excess = isCalm ? watchWrites(world, device) : []
    if (mayDie) device.dieAt(world.diesAt)
    await this.act(world, device)
    await device.pass(settles)
    // What it remembers counts again until it has read the meter.
    const hasDied = device.dead
    if (hasDied) await recover(world, device)
    device.dieAt(undefined)
    device.equipment.beforeWrite = undefined
    expect(excess, 'writes that bring the site above its ceiling').toEqual([])
    look(world, timeOf(device))
    markSeen(world, device)
    compare(world, device, hasDied ? 0 : settles * 1000)
  }
  toString = () => this.name
}

/** Collects the writes that bring a site above a ceiling that it keeps, while a meter that is right shows that. */
function watchWrites(world: LimitsWorld, device: Controller): string[] {
  const excess: string[] = []
  device.equipment.beforeWrite = (id, raw) => {
    const now = timeOf(device)
    if (world.frozenAt !== undefined || world.isMeterLost) return
    const [before, after] = [siteKw(world, device), siteKw(world, device, { [id]: Number(raw) })]
    const strict = (direction: 'import' | 'export') =>
      inForce(world, direction)
        .filter(({ averagingSeconds, to, until = Number.POSITIVE_INFINITY }) => {
          return averagingSeconds === 0 && to > now.wall && until > now.monotonic
        })
        .map(({ kw }) => kw)
    const drawn = Math.max(GUARANTEED_KW, Math.min(...strict('import'))) + TOLERANCE_KW
    const fed = -Math.min(...strict('export')) - TOLERANCE_KW
    if (after > before && before <= drawn && after > drawn) excess.push(`${id} to ${raw}: ${after} kW above ${drawn}`)
    if (after < before && before >= fed && after < fed) excess.push(`${id} to ${raw}: ${after} kW below ${fed}`)
  }
  return excess
}

/** What is in force now and not only for a moment has been seen by a controller that lives. */
function markSeen(world: LimitsWorld, device: Controller): void {
  const { wall } = timeOf(device)
  for (const limit of world.limits) if (!limit.isOver && limit.from <= wall - 3_000) limit.wasSeen = true
}

async function recover(world: LimitsWorld, device: Controller): Promise<void> {
  delete world.diesAt
  const { death } = device
  if (death) {
    const moment = death.saved ? 0 : 1
    look(world, { wall: death.wall - moment, monotonic: death.monotonic - moment })
  }
  await device.crash()
  await device.pass(6)
  restarted(world, timeOf(device))
}

/** Sends a command, and recovers the controller when it dies meanwhile. */
const send = (world: LimitsWorld, device: Controller, command: CommandName, data: object, reqId: string) =>
  callAgain(device, { command, data, reqId }, () => recover(world, device))

interface Span {
  fromS: number
  lastsS: number
}

const spanOf = (device: Controller, { fromS, lastsS }: Span) => {
  const from = device.clock.now() + fromS * 1000
  return { from, to: from + lastsS * 1000 }
}

const place = (about: Span & { direction: 'import' | 'export'; kw: number; averagingSeconds: 0 | 900 }) =>
  new LimitStep(
    `limit ${JSON.stringify(about)}`,
    async (world, device) => {
      const { direction, kw, averagingSeconds } = about
      const { from, to } = spanOf(device, about)
      const reqId = randomUUID()
      const data = { direction, kw, averagingSeconds, from: formatTimestamp(from), to: formatTimestamp(to) }
      const reply = await send(world, device, 'placeLimit', data, reqId)
      if (reply instanceof Failure) return expect(to, reply.message).toBeLessThanOrEqual(device.clock.now())
      const { id } = reply as { id: string }
      world.limits.push({ ...{ reqId, direction, kw, averagingSeconds, from, to, id }, wasSeen: false, isOver: false })
    },
    { mayDie: true },
  )

const release = (which: number) =>
  new LimitStep(
    `release ${which}`,
    async (world, device) => {
      const limit = world.limits.at(-1 - (which % Math.max(1, world.limits.length)))
      if (!limit) return
      const data = { placedBy: 'key_1', reqIds: [limit.reqId] }
      await send(world, device, 'cancelOverridesByReqId', data, randomUUID())
      look(world, timeOf(device))
      limit.isOver = true
    },
    { mayDie: true },
  )

const override = (about: Span & { load: number; part: number }) =>
  new LimitStep(
    `override ${JSON.stringify(about)}`,
    async (world, device) => {
      const datapointId = loadAt(world, about.load)
      const value = valueAt(world, datapointId, about.part)
      const { from, to } = spanOf(device, about)
      const data = { datapointId, value, from: formatTimestamp(from), to: formatTimestamp(to) }
      const reply = await send(world, device, 'demandResponseOverride', data, randomUUID())
      if (reply instanceof Failure) return expect(to, reply.message).toBeLessThanOrEqual(device.clock.now())
      world.overrides.accepted({ id: (reply as { id: string }).id, datapointId, value, from, to })
    },
    { mayDie: true },
  )

const cancel = (which: number) =>
  new LimitStep(
    `cancel ${which}`,
    async (world, device) => {
      const { overrides } = world.overrides
      const id = overrides.at(-1 - (which % Math.max(1, overrides.length)))?.id
      if (id === undefined) return
      await send(world, device, 'demandResponseCancel', { id }, randomUUID())
      world.overrides.cancelled(id)
    },
    { mayDie: true },
  )

const schedule = ({ load, part }: { load: number; part: number | undefined }) =>
  new LimitStep(`a schedule puts load ${load} at ${part}`, async (world, device) => {
    const id = loadAt(world, load)
    if (part === undefined) world.schedule.delete(id)
    else world.schedule.set(id, valueAt(world, id, part))
    await device.commission(systemOf(world))
  })

const loadAt = (world: LimitsWorld, index: number) => {
  const ids = loadIds(world)
  return ids[index % ids.length] as string
}

/** A value that is that part of what the load can draw or supply. */
function valueAt({ loads }: LimitsWorld, id: string, part: number): number {
  const load = loads.modulating[Number(id.slice(1))]
  if (!id.startsWith('m') || !load) return part > 0.5 ? 1 : 0
  return Math.round(load.minKw + part * (load.maxKw - load.minKw))
}

const people = (kw: number) =>
  new LimitStep(`people and panels draw ${kw} kW`, (world) => {
    world.baseKw = kw
  })

const meter = (how: 'lost' | 'frozen' | 'right') =>
  new LimitStep(
    `the meter is ${how}`,
    (world, device) => {
      world.isMeterLost = how === 'lost'
      world.frozenAt = how === 'frozen' ? siteKw(world, device) : undefined
      if (world.isMeterLost) device.equipment.unreadable.set('meter', 'no answer')
      else device.equipment.unreadable.delete('meter')
    },
    { settles: 20 },
  )

export const pass = (seconds: number) =>
  new LimitStep(`pass ${seconds} s`, (_world, device) => device.pass(seconds), {
    settles: 6,
    mayDie: true,
    isCalm: true,
  })

export const settle = new LimitStep('wait', () => {}, { settles: SETTLED_MS / 1000, mayDie: true })

const restart = (how: 'restart' | 'crash', seconds: number) =>
  new LimitStep(
    `${how}, and start ${seconds} s later`,
    async (world, device) => {
      look(world, timeOf(device))
      await device[how](seconds)
      restarted(world, timeOf(device))
    },
    { settles: 10, isCalm: true },
  )

const dieAt = (point: Point) =>
  new LimitStep(`die at the next ${point}`, (world) => {
    world.diesAt = point
  })

const stepClock = (seconds: number) =>
  new LimitStep(
    `the clock is set by ${seconds} s, and the cloud agrees`,
    async (world, device) => {
      look(world, timeOf(device))
      device.clock.step(seconds * 1000)
      world.wasSetBack ||= seconds < 0
      await device.reconnect()
    },
    { settles: 31 },
  )

const uplink = (isUp: boolean) =>
  new LimitStep(`the cloud is ${isUp ? 'online' : 'offline'}`, async (_world, device) => {
    if (isUp) await device.reconnect()
    else device.uplink = false
  })

export const comesBack = [meter('right'), uplink(true)] as const

const aSpan = {
  fromS: fc.constantFrom(0, 0, 0, -60, 30, 600),
  lastsS: fc.constantFrom(20, 120, 600, 1800, 7200),
}
const aPart = fc.constantFrom(0, 0.2, 0.5, 0.8, 1)
const aLimit = fc.record({
  direction: fc.constantFrom('import' as const, 'import' as const, 'import' as const, 'export' as const),
  kw: fc.constantFrom(0, 5, 12, 20, 30, 60),
  averagingSeconds: fc.constantFrom(0 as const, 0 as const, 900 as const),
  ...aSpan,
})
const points = fc.constantFrom<Point>('flush:before', 'flush:after', 'write:before', 'write:after', 'report:confirmed')

/** Everything that may happen to a site with limits. Common events are listed several times. */
export const limitSteps = [
  ...Array.from({ length: 4 }, () => aLimit.map(place)),
  ...Array.from({ length: 4 }, () => fc.constant(settle)),
  ...Array.from({ length: 2 }, () => fc.record({ load: fc.nat(5), part: aPart, ...aSpan }).map(override)),
  ...Array.from({ length: 2 }, () => fc.constantFrom(-30, 0, 8, 25, 50).map(people)),
  ...Array.from({ length: 2 }, () => points.map(dieAt)),
  fc.nat(5).map(release),
  fc.nat(5).map(cancel),
  fc.record({ load: fc.nat(5), part: fc.option(aPart, { nil: undefined }) }).map(schedule),
  fc.constantFrom('lost' as const, 'frozen' as const, 'right' as const, 'right' as const).map(meter),
  fc.constantFrom(1, 60, 600).map(pass),
  fc
    .tuple(fc.constantFrom('restart' as const, 'crash' as const), fc.constantFrom(0, 1, 45, 900))
    .map((how) => restart(...how)),
  fc.constantFrom(60, -60, 3600, -3600).map(stepClock),
  fc.boolean().map(uplink),
]
