import { randomUUID } from 'node:crypto'
import type { CommandName } from '@plantroom/contract/commands'
import { type TechnicalSystem, WEEKDAYS } from '@plantroom/contract/datapoint'
import { type HoldingWriter, WRITERS } from '@plantroom/contract/writers'
import type { Image } from '@plantroom/drivers/driver'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { expect } from 'vitest'
import type { Point } from '../../device-parts.ts'
import { callAgain } from '../../testing/call-again.ts'
import type { Controller } from '../../testing/controller.ts'
import { createOverrideModel, type OverrideModel } from './override-model.ts'
import { brokenReportLaws, holderByReports } from './report-laws.ts'

export const IDS = ['a', 'b', 'c'] as const
export type Id = (typeof IDS)[number]
const SHED_VALUE = -1
/** Restored where nothing could ever be read. */
const RELEASE_VALUE = 99
/** A datapoint behind a connection that never answers. */
export const UNREACHABLE = 'h'
export const SILENT_CONNECTIONS = { silent: 60_000 }

/** The model of the overrides, and the world around the device. */
export interface World {
  model: OverrideModel
  plain: Record<Id, number | bigint | Image>
  deviation: Partial<Record<Id, { value: number } | { offset: number }>>
  /** Peak shaving may shed `a`. The model does not say exactly when. */
  mayShed: boolean
  cut: boolean
  /** The datapoints that reject, ignore or do not answer writes. */
  unwilling: Set<Id>
  /** The datapoints that were unreadable for a while, possibly when the value to restore was read. */
  unread: Set<Id>
  /** The host of the equipment, as commissioned. */
  host: string
  /** Where the device will die. */
  diesAt?: Point
}

const wantOf = (world: World, id: Id) => {
  const want = world.deviation[id]
  if (!want) return undefined
  if ('value' in want) return want.value
  const plain = world.plain[id]
  // An offset to something that is not a number cannot be applied: the plain value is restored instead.
  return isNumber(plain) ? plain + want.offset : plain
}

const isNumber = (plain: World['plain'][Id]): plain is number => typeof plain === 'number'

/** Returns the system to commission for this world. */
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
      aConnection({ id: 'silent', datapoints: [unreachable] }),
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

/** Starts a dead device again. */
export async function recover(world: World, device: Controller): Promise<void> {
  delete world.diesAt
  const { death } = device
  // Overrides that ended before the death stay ended. One whose end was being saved had not ended yet.
  if (death) {
    const moment = death.saved ? 0 : 1
    world.model.look({ wall: death.wall - moment, monotonic: death.monotonic - moment })
  }
  await device.crash()
  await device.pass(1)
  world.model.restarted(timeOf(device))
}

/** Checks that the device is in the state that the model says. */
export async function compare(world: World, device: Controller): Promise<void> {
  const values = await device.values()
  for (const id of IDS) {
    const active = world.model.active(id)
    const shown = values[id]?.lockedBy
    learnPlain(world, device, id, shown)
    const shed = id === 'a' && shown === 'peak-shaving' && world.mayShed && !active
    const deviates = wantOf(world, id)
    const [lockedBy, value]: [HoldingWriter | undefined, World['plain'][Id]] = active
      ? ['demand-response', active.value]
      : shed
        ? ['peak-shaving', SHED_VALUE]
        : deviates !== undefined
          ? ['deviation', deviates]
          : [undefined, world.plain[id]]
    expect(shown, `the writer that holds ${id}`).toBe(lockedBy)
    if (world.cut || world.unwilling.has(id)) continue
    expect(device.equipment.points.get(id), `the value of ${id}, held by ${lockedBy}`).toEqual(value)
    // Without a reading nothing is released, and its entry waits.
    if (!device.uplink || !device.confirms || device.equipment.unreadable.has(id)) continue
    const reported = holderByReports(device.reports, id)
    // Applied while the clock was ahead, and queued again since the clock was corrected.
    const isQueued = world.model.overrides.some(({ id, over }) => id === reported?.overrideId && !over)
    if (reported && isQueued && reported.overrideId !== active?.id) continue
    expect(reported?.code, `the writer that holds ${id} by the reports`).toBe(lockedBy && WRITERS[lockedBy].auditCode)
    // The setpoint of an offset is unknown where the plain value could not be read before it was reported.
    const isOffset = 'offset' in (world.deviation[id] ?? {})
    const unknown = lockedBy === 'deviation' && isOffset && (reported?.value === null || !isNumber(world.plain[id]))
    if (reported && !unknown) expect(reported.value, `the value of ${id} by the reports`).toBe(value)
  }
  expectClosed(world, device)
  expect(brokenReportLaws(device.reports)).toEqual([])
  expect(device.contradictions).toEqual([])
  for (const { overrideId, phase, at } of device.reports) {
    if (overrideId === null || phase !== 'applied') continue
    const override = world.model.overrides.find(({ id }) => id === overrideId)
    expect(override, `an entry about ${overrideId}, which was never issued`).toBeDefined()
    expect(Date.parse(at)).toBeLessThan(override?.to ?? 0)
  }
}

/** Learns that the device restores the release value where the plain value was unreadable when a writer took over. */
function learnPlain(world: World, { equipment }: Controller, id: Id, lockedBy: string | undefined): void {
  if (!world.unread.has(id)) return
  const want = world.deviation[id]
  const offset = lockedBy === 'deviation' && want && 'offset' in want ? want.offset : 0
  const isOwn = lockedBy === undefined || offset !== 0
  if (isOwn && equipment.points.get(id) === RELEASE_VALUE + offset) world.plain[id] = RELEASE_VALUE
}

/** Checks that each override that is over has its closing entry, once equipment and cloud have answered. */
function expectClosed(world: World, device: Controller): void {
  if (!device.uplink || !device.confirms || world.cut || world.unwilling.size > 0) return
  const closed = new Set(device.reports.filter(({ phase }) => phase === 'released').map(({ overrideId }) => overrideId))
  // Entries for equipment that never answers wait for its timeouts.
  const isDue = ({ id, datapointId, over }: { id: string; datapointId: string; over: boolean }) =>
    over && !closed.has(id) && datapointId !== UNREACHABLE && !device.equipment.unreadable.has(datapointId)
  const unclosed = world.model.overrides.filter(isDue)
  expect(unclosed, 'overrides that are over without a closing entry').toEqual([])
}

/** Reports whether anything is held or queued on the connection of a, b and c. */
export async function isAnythingHeld({ model, deviation }: World, device: Controller): Promise<boolean> {
  const values = await device.values()
  const waits = model.overrides.some(({ over, datapointId }) => !over && datapointId !== UNREACHABLE)
  return waits || IDS.some((id) => deviation[id] || values[id]?.locked)
}

/** Sends a command, and recovers the device when it dies meanwhile. */
export const send = (world: World, device: Controller, command: CommandName, data: object): Promise<unknown> =>
  callAgain(device, { command, data, reqId: randomUUID() }, () => recover(world, device))

export function aWorld(): World {
  return {
    model: createOverrideModel(),
    plain: { a: 10, b: 11, c: 12 },
    deviation: {},
    mayShed: false,
    cut: false,
    unwilling: new Set(),
    unread: new Set(),
    host: 'one',
  }
}
