import { randomUUID } from 'node:crypto'
import { type TechnicalSystem, WEEKDAYS } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { expect } from 'vitest'
import type { Point } from '../../device.ts'
import type { Controller } from '../../testing/controller.ts'
import { createOverrideModel, type OverrideModel } from './override-model.ts'
import { brokenReportLaws, holderByReports } from './report-laws.ts'

export const IDS = ['a', 'b', 'c'] as const
export type Id = (typeof IDS)[number]
const SHED_VALUE = -1
const CODE = { 'demand-response': 4005, 'peak-shaving': 4000, deviation: 4001 } as const

/** What the model knows beside the windows: the world around the device. */
export interface World {
  overrides: OverrideModel
  plain: Record<Id, number>
  deviation: Partial<Record<Id, { value: number } | { offset: number }>>
  /** Peak shaving sheds `a`; exactly when is its own affair. */
  mayShed: boolean
  cut: boolean
  /** What the equipment does not do as it is told. */
  unwilling: Set<Id>
  /** Where the device will end without a word. */
  diesAt?: Point
}

const wantOf = (world: World, id: Id) => {
  const want = world.deviation[id]
  if (!want) return undefined
  return 'value' in want ? want.value : world.plain[id] + want.offset
}

/** What is commissioned for this world. */
export function systemOf({ deviation, mayShed }: World): TechnicalSystem {
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
  }
}
