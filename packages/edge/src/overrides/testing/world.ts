import { randomUUID } from 'node:crypto'
import { type TechnicalSystem, WEEKDAYS } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Image } from '@plantroom/drivers/driver'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { expect } from 'vitest'
import type { Point } from '../../device.ts'
import type { Controller } from '../../testing/controller.ts'
import { createOverrideModel, type OverrideModel } from './override-model.ts'
import { brokenReportLaws, holderByReports } from './report-laws.ts'

export const IDS = ['a', 'b', 'c'] as const
export type Id = (typeof IDS)[number]
const SHED_VALUE = -1
/** What is restored where nothing could ever be read. */
const RELEASE_VALUE = 99
/** A datapoint behind a connection that never answers. */
export const UNREACHABLE = 'h'
export const BLACK_HOLES = { hole: 60_000 }
const CODE = { 'demand-response': 4005, 'peak-shaving': 4000, deviation: 4001 } as const

/** What the model knows beside the windows: the world around the device. */
export interface World {
  overrides: OverrideModel
  plain: Record<Id, number | bigint | Image>
  deviation: Partial<Record<Id, { value: number } | { offset: number }>>
  /** Peak shaving sheds `a`; exactly when is its own affair. */
  mayShed: boolean
  cut: boolean
  /** What refuses, ignores or does not answer what is written. */
  unwilling: Set<Id>
  /** What could not be read for a while: perhaps just when the value to restore was to be read. */
  unread: Set<Id>
  /** The host of the equipment, as commissioned. */
  host: string
  /** Where the device will end without a word. */
  diesAt?: Point
}

const wantOf = (world: World, id: Id) => {
  const want = world.deviation[id]
  if (!want) return undefined
  if ('value' in want) return want.value
  const plain = world.plain[id]
  // An offset to something that is not a number cannot be held: the plain value is restored instead.
  return isNumber(plain) ? plain + want.offset : plain
}

const isNumber = (plain: World['plain'][Id]): plain is number => typeof plain === 'number'

/** What is commissioned for this world. */
export function systemOf({ deviation, mayShed, host }: World): TechnicalSystem {
  const writable = { accessType: 'READ_WRITE', releaseValue: RELEASE_VALUE } as const
  const datapoints = [
    aDatapoint({ id: 'a', ...writable }),
    aDatapoint({ id: 'b', ...writable }),
    aDatapoint({ id: 'c', ...writable, writeInterval: 20 }),
    aDatapoint({ id: 'meter' }),
  ]
  const unreachable = aDatapoint({ id: UNREACHABLE, accessType: 'READ_WRITE' })
  const load = { datapointId: 'a', priority: 1, shedValue: SHED_VALUE, minOnSeconds: 0, minOffSeconds: 0 }
  return {
    ...aSystem('sys', [
      aConnection({ datapoints, settings: { pollSeconds: 5, host } }),
      aConnection({ id: 'hole', datapoints: [unreachable] }),
    ]),
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

export const timeOf = ({ clock }: Controller) => ({ wall: clock.now(), monotonic: clock.monotonic() })

/** The device died: it is started again. */
export async function recover(world: World, device: Controller): Promise<void> {
  delete world.diesAt
  const { death } = device
  // Until then it lived: what ended by its monotonic budget stays ended. What it was about to save, it had not ended yet.
  if (death) {
    const moment = death.saved ? 0 : 1
    world.overrides.look({ wall: death.wall - moment, monotonic: death.monotonic - moment })
  }
  await device.crash()
  await device.pass(1)
  world.overrides.restarted(timeOf(device))
}

/** Is everything as the model says? */
export async function compare(world: World, device: Controller): Promise<void> {
  const values = await device.values()
  for (const id of IDS) {
    const ruling = world.overrides.ruling(id)
    const shown = values[id]?.lockedBy
    learnPlain(world, device, id, shown)
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
    expect(device.equipment.points.get(id), `what ${id} is at, held by ${lockedBy}`).toEqual(value)
    if (!device.uplink || !device.confirms) continue
    const told = holderByReports(device.reports, id)
    // Applied by a clock that was ahead, and waiting again since the clock was set right.
    const waits = world.overrides.windows.some((window) => window.id === told?.overrideId && !window.over)
    if (told && waits && told.overrideId !== ruling?.id) continue
    expect(told?.code, `who holds ${id} by the reports`).toBe(lockedBy && CODE[lockedBy as keyof typeof CODE])
    // An offset to what could not be read yet when it had to be told comes to nothing that is known.
    const isOffset = 'offset' in (world.deviation[id] ?? {})
    const unknown = lockedBy === 'deviation' && isOffset && (told?.value === null || !isNumber(world.plain[id]))
    if (told && !unknown) expect(told.value, `what ${id} is at by the reports`).toBe(value)
  }
  expectClosed(world, device)
  expect(brokenReportLaws(device.reports)).toEqual([])
  expect(device.contradictions).toEqual([])
  for (const { overrideId, phase, at } of device.reports) {
    if (overrideId === null || phase !== 'applied') continue
    const window = world.overrides.windows.find(({ id }) => id === overrideId)
    expect(window, `an entry about ${overrideId}, which nobody was given`).toBeDefined()
    expect(Date.parse(at)).toBeLessThan(window?.to ?? 0)
  }
}

/** What could not be read when a writer took over was not known: then the release value stands for it. */
function learnPlain(world: World, { equipment }: Controller, id: Id, lockedBy: string | undefined): void {
  if (!world.unread.has(id)) return
  const want = world.deviation[id]
  const offset = lockedBy === 'deviation' && want && 'offset' in want ? want.offset : 0
  const isOwn = lockedBy === undefined || offset !== 0
  if (isOwn && equipment.points.get(id) === RELEASE_VALUE + offset) world.plain[id] = RELEASE_VALUE
}

/** An override that is over has its closing entry, once the equipment and the cloud have had their say. */
function expectClosed(world: World, device: Controller): void {
  if (!device.uplink || !device.confirms || world.cut || world.unwilling.size > 0) return
  const closed = new Set(device.reports.filter(({ phase }) => phase === 'released').map(({ overrideId }) => overrideId))
  // What waits for equipment that never answers waits as long as its own timeouts.
  const isDue = ({ id, datapointId, over }: { id: string; datapointId: string; over: boolean }) =>
    over && !closed.has(id) && datapointId !== UNREACHABLE
  const open = world.overrides.windows.filter(isDue)
  expect(open, 'overrides that are over without a closing entry').toEqual([])
}

/** Is anything held on the connection of a, b and c, or still to come there? */
export async function isAnythingHeld({ overrides, deviation }: World, device: Controller): Promise<boolean> {
  const values = await device.values()
  const waits = overrides.windows.some(({ over, datapointId }) => !over && datapointId !== UNREACHABLE)
  return waits || IDS.some((id) => deviation[id] || values[id]?.locked)
}

/** Sends a command as a partner does: when the device dies over it, the same again with the same reqId. */
export async function send(world: World, device: Controller, command: string, data: object): Promise<unknown> {
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

export function aWorld(): World {
  return {
    overrides: createOverrideModel(),
    plain: { a: 10, b: 11, c: 12 },
    deviation: {},
    mayShed: false,
    cut: false,
    unwilling: new Set(),
    unread: new Set(),
    host: 'one',
  }
}
