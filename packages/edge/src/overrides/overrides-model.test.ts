import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { type TechnicalSystem, WEEKDAYS } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Point } from '../device.ts'
import { type Controller, startController } from '../testing/controller.ts'
import { createOverrideModel, type OverrideModel } from './testing/override-model.ts'
import { brokenReportLaws, holderByReports } from './testing/report-laws.ts'

const STEPS = Number(process.env.PLANTROOM_TEST_STEPS ?? 10_000)
const STEPS_A_LIFE = 60

// A disk in memory, where there is one: a crash leaves the same on it as on any other, and flushes take no time.
if (existsSync('/dev/shm')) process.env.TMPDIR = '/dev/shm'

const IDS = ['a', 'b', 'c'] as const
type Id = (typeof IDS)[number]
const SHED_VALUE = -1
const CODE = { 'demand-response': 4005, 'peak-shaving': 4000, deviation: 4001 } as const

/** What the model knows beside the windows: the world around the device. */
interface World {
  overrides: OverrideModel
  plain: Record<Id, number>
  deviation: Partial<Record<Id, { value: number } | { offset: number }>>
  /** Peak shaving sheds `a`; exactly when is its own affair. */
  mayShed: boolean
  cut: boolean
  /** What the equipment does not do as it is told. */
  unwilling: Set<Id>
  rejected: number
  /** Where the device will end without a word. */
  diesAt?: Point
}

class Real {
  readonly device: Controller
  constructor(device: Controller) {
    this.device = device
  }
}

const wantOf = (world: World, id: Id) => {
  const want = world.deviation[id]
  if (!want) return undefined
  return 'value' in want ? want.value : world.plain[id] + want.offset
}

function systemOf({ deviation, mayShed }: World): TechnicalSystem {
  const datapoints = [
    aDatapoint({ id: 'a', accessType: 'READ_WRITE' }),
    aDatapoint({ id: 'b', accessType: 'READ_WRITE' }),
    aDatapoint({ id: 'c', accessType: 'READ_WRITE', writeInterval: 20 }),
    aDatapoint({ id: 'meter' }),
  ]
  const load = { datapointId: 'a', priority: 1, shedValue: SHED_VALUE, minOnSeconds: 0, minOffSeconds: 0 }
  return {
    ...aSystem('sys', [aConnection({ datapoints, settings: { pollSeconds: 5 } })]),
    schedules: IDS.flatMap((id) => {
      const want = deviation[id]
      if (!want) return []
      const [mode, value] = 'value' in want ? (['absolute', want.value] as const) : (['offset', want.offset] as const)
      return [
        { id, name: id, datapointId: id, slots: [{ days: [...WEEKDAYS], from: '00:00', to: '24:00', mode, value }] },
      ]
    }),
    peakShaving: mayShed ? { meterId: 'meter', limitKw: 50, hysteresisKw: 0, cycleSeconds: 10, loads: [load] } : null,
  }
}

/** One step, and everything that must be true after it. */
abstract class Step implements fc.AsyncCommand<World, Real> {
  abstract act(world: World, device: Controller): Promise<void>
  /** Seconds after which the device must have come to terms with what happened. */
  settlesWithin = 1
  /** May the device die over it? */
  mayDie = false

  check(_world: Readonly<World>): boolean {
    return true
  }

  async run(world: World, { device }: Real): Promise<void> {
    if (this.mayDie) device.dieAt(world.diesAt)
    await this.act(world, device)
    await device.pass(this.settlesWithin)
    if (device.dead) await recover(world, device)
    device.dieAt(undefined)
    world.overrides.look(timeOf(device))
    await compare(world, device)
    stepsDone += 1
  }
}

let stepsDone = 0

const timeOf = ({ clock }: Controller) => ({ wall: clock.now(), monotonic: clock.monotonic() })

async function recover(world: World, device: Controller): Promise<void> {
  delete world.diesAt
  await device.crash()
  await device.pass(1)
  world.overrides.restarted(timeOf(device))
}

async function compare(world: World, device: Controller): Promise<void> {
  const values = await device.values()
  for (const id of IDS) {
    const ruling = world.overrides.ruling(id)
    const shown = values[id]?.lockedBy
    const shed = id === 'a' && shown === 'peak-shaving' && world.mayShed && !ruling
    const deviates = wantOf(world, id)
    const [lockedBy, value] = ruling
      ? ['demand-response', ruling.value]
      : shed
        ? ['peak-shaving', SHED_VALUE]
        : deviates !== undefined
          ? ['deviation', deviates]
          : [undefined, world.plain[id]]
    expect(shown, `who holds ${id}`).toBe(lockedBy)
    if (world.cut || world.unwilling.has(id)) continue
    expect(device.equipment.points.get(id), `what ${id} is at, held by ${lockedBy}`).toBe(value)
    if (!device.uplink || !device.confirms) continue
    const told = holderByReports(device.reports, id)
    expect(told?.code, `who holds ${id} by the reports`).toBe(lockedBy && CODE[lockedBy as keyof typeof CODE])
    // An offset to what could not be read yet when it had to be told comes to nothing that is known.
    const unknown = told?.value === null && lockedBy === 'deviation'
    if (told && !unknown) expect(told.value, `what ${id} is at by the reports`).toBe(value)
  }
  expect(brokenReportLaws(device.reports)).toEqual([])
  expect(device.contradictions).toEqual([])
  for (const { overrideId, phase, at } of device.reports) {
    if (overrideId === null || phase !== 'applied') continue
    const window = world.overrides.windows.find(({ id }) => id === overrideId)
    expect(window, `an entry about ${overrideId}, which nobody was given`).toBeDefined()
    expect(Date.parse(at)).toBeLessThan(window?.to ?? 0)
  }
}

/** Sends a command as a partner does: when the device dies over it, the same again with the same reqId. */
async function send(world: World, device: Controller, command: string, data: object): Promise<unknown> {
  const reqId = randomUUID()
  const attempt = async () => {
    try {
      return await device.call(command, data, { reqId })
    } catch (error) {
      if (device.dead) return undefined
      if (error instanceof Failure && error.kind === 'rejected') return error
      throw error
    }
  }
  const reply = await attempt()
  if (!device.dead) return reply
  await recover(world, device)
  return attempt()
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
      world.rejected += 1
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

const pass = (seconds: number) =>
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

const bootWithWrongClock = (secondsBehind: number) =>
  new Does(
    `restart with a clock ${secondsBehind} s behind, which is set right then`,
    async (world, device) => {
      device.clock.step(-secondsBehind * 1000)
      await device.restart()
      await expect(device.override('a', 1, 0, 60)).rejects.toThrow('clock')
      device.clock.step(secondsBehind * 1000)
      world.overrides.restarted(timeOf(device))
    },
    { settlesWithin: 31 },
  )

const cutLink = new Does('the link to the equipment is cut', (world, { equipment }) => {
  equipment.cut = 'cut'
  world.cut = true
})

const mendLink = new Does(
  'the link to the equipment is mended',
  (world, { equipment }) => {
    equipment.cut = undefined
    world.cut = false
  },
  { settlesWithin: 40, mayDie: true },
)

const unwilling = (how: 'refuse' | 'ignores', id: Id) =>
  new Does(`${id} ${how} what is written`, (world, { equipment }) => {
    equipment[how].add(id)
    world.unwilling.add(id)
  })

const willing = new Does(
  'all equipment does as it is told',
  (world, { equipment }) => {
    equipment.refuse.clear()
    equipment.ignores.clear()
    world.unwilling.clear()
  },
  { settlesWithin: 40, mayDie: true },
)

const forgets = (id: Id) =>
  new Does(
    `${id} loses what it was set to`,
    async (_world, device) => {
      if ((await device.values())[id]?.locked) device.equipment.points.set(id, 77)
    },
    { settlesWithin: 15, may: ({ cut, unwilling }) => !cut && !unwilling.has(id) },
  )

const turnedByHand = (id: Id, value: number) =>
  new Does(
    `${id} is turned to ${value} by hand`,
    async (world, device) => {
      if ((await device.values())[id]?.locked) return
      device.equipment.points.set(id, value)
      world.plain[id] = value
    },
    { may: ({ cut, unwilling }) => !cut && !unwilling.has(id) },
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

const steps = [
  ...Array.from({ length: 6 }, () => aWindow.map((about) => new Place(about))),
  ...Array.from({ length: 3 }, () => fc.nat().map((which) => new Cancel(which))),
  ...Array.from({ length: 4 }, () => someTime.map(pass)),
  ...Array.from({ length: 2 }, () => points.map(dieAt)),
  fc.constantFrom(0, 1, 45, 3600).map(restart),
  fc.constantFrom(0, 1, 45, 3600).map(crash),
  fc.tuple(someSeconds, fc.constantFrom(1, -1)).map(([seconds, sign]) => stepClock(seconds * sign)),
  fc.constantFrom(90, 3600, 1e8).map(bootWithWrongClock),
  fc.constant(cutLink),
  fc.constant(mendLink),
  fc.tuple(fc.constantFrom('refuse' as const, 'ignores' as const), anId).map((what) => unwilling(...what)),
  fc.constant(willing),
  anId.map(forgets),
  fc.tuple(anId, fc.constantFrom(10, 20, 55)).map((what) => turnedByHand(...what)),
  fc.boolean().map(uplink),
  fc.boolean().map(confirms),
  fc.tuple(anId, wants).map((what) => schedule(...what)),
  fc.constantFrom(0, 100).map(peak),
]

async function aLife(commands: Iterable<fc.AsyncCommand<World, Real>>): Promise<void> {
  const plain = { a: 10, b: 11, c: 12 }
  const world: World = {
    overrides: createOverrideModel(),
    plain,
    deviation: {},
    mayShed: false,
    cut: false,
    unwilling: new Set(),
    rejected: 0,
  }
  const device = await startController(systemOf(world), { points: { ...plain, meter: 0 } })
  try {
    await fc.asyncModelRun(() => ({ model: world, real: new Real(device) }), commands)
    await theEnd(world, device)
  } finally {
    await device.stop()
    rmSync(device.folder, { recursive: true, force: true })
  }
}

/** Everything comes right once nothing is wrong any more, and the cloud has each entry once. */
async function theEnd(world: World, device: Controller): Promise<void> {
  device.dieAt(undefined)
  device.confirms = true
  await device.reconnect()
  for (const step of [willing, mendLink, pass(11)]) await step.run(world, new Real(device))
}

test('whatever happens, the device does what a list of windows says', { timeout: 3_600_000 }, async () => {
  while (stepsDone < STEPS) {
    const commands = fc.commands(steps, { maxCommands: STEPS_A_LIFE, size: 'max' })
    await fc.assert(fc.asyncProperty(commands, aLife), { numRuns: 20, endOnFailure: false })
  }
})
