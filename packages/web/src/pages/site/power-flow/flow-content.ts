import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { type FlowPart, KILOWATTS, powerFlow } from '@plantroom/contract/main-measurements'
import { toLocalInput } from '../../../parts/time.ts'
import { labelsOf } from '../held-datapoints.ts'
import { type DeviceOverview, isLive } from '../overview.ts'

/** Rows of loads, with one for the others. A higher picture would push what is held out of view on a phone. */
const MAX_ROWS = 3

/** One end of a line of the picture. */
export interface FlowNode {
  key: string
  part: FlowPart | 'rest'
  /** The name of its datapoint; `undefined` for a sum. */
  name: string | undefined
  /** Where its datapoint is. */
  at: { deviceId: string; datapointId: string } | undefined
  /** Positive towards the part: into a storage or a load, out of the grid or generation; `undefined` when it is unknown. */
  kw: number | undefined
  isOld: boolean
  /** The age of its oldest reading. */
  ageMs: number | undefined
  /** What peak shaving or a power limit keeps the grid below. */
  limitKw: number | undefined
}

export interface Flow {
  /** Left of the bar: what may supply the building. */
  sources: readonly FlowNode[]
  loads: readonly FlowNode[]
}

/** A power measurement with its last reading. */
interface Reading {
  id: string
  deviceId: string
  name: string | undefined
  kw: number | undefined
  isOld: boolean
  ageMs: number | undefined
}

/** Returns the power flow of a site; `undefined` where fewer than two parts are measured. Pure. */
export function flowOf(devices: readonly DeviceOverview[], now: number): Flow | undefined {
  const systems = devices.flatMap((seen) => seen.systems ?? [])
  const readings = readingsOf(devices)
  const parts = powerFlow(systems)
  if (Object.values(parts).filter(({ length }) => length > 0).length < 2) return undefined
  const read = (points: readonly { id: string }[]) => points.flatMap(({ id }) => readings.get(id) ?? [])
  const sum = (part: FlowPart) => {
    const of = read(parts[part])
    return of.length === 0 ? [] : [nodeOf(part, of)]
  }
  const grid = sum('grid').map((node) => ({ ...node, limitKw: limitOf(devices, parts.grid, now) }))
  const sources = [...grid, ...sum('generation'), ...sum('storage')]
  const most = grid.length === 0 ? MAX_ROWS : MAX_ROWS - 1
  const loads = read(parts.load.slice(0, most)).map((reading) => nodeOf('load', [reading]))
  return { sources, loads: grid.length === 0 ? loads : [...loads, restOf(sources, loads)] }
}

function nodeOf(part: FlowPart, of: readonly Reading[]): FlowNode {
  const [first] = of
  const alone = of.length === 1 ? first : undefined
  const isKnown = of.every(({ kw }) => kw !== undefined)
  const ages = of.flatMap(({ ageMs }) => ageMs ?? [])
  return {
    key: of.map(({ id }) => id).join(' '),
    part,
    name: alone?.name,
    at: alone && { deviceId: alone.deviceId, datapointId: alone.id },
    kw: isKnown ? of.reduce((total, { kw = 0 }) => total + kw, 0) : undefined,
    isOld: of.some(({ isOld }) => isOld),
    ageMs: ages.length === 0 ? undefined : Math.max(...ages),
    limitKw: undefined,
  }
}

/** What is supplied and no measured load takes. */
function restOf(sources: readonly FlowNode[], loads: readonly FlowNode[]): FlowNode {
  const all = [...sources, ...loads]
  const signed = ({ part, kw = 0 }: FlowNode) => (part === 'grid' || part === 'generation' ? kw : -kw)
  return {
    key: 'rest',
    part: 'rest',
    name: undefined,
    at: undefined,
    kw: all.some(({ kw }) => kw === undefined) ? undefined : all.reduce((total, node) => total + signed(node), 0),
    isOld: all.some(({ isOld }) => isOld),
    ageMs: undefined,
    limitKw: undefined,
  }
}

/** The lowest limit of the only meter; several meters have no common one. */
function limitOf(devices: readonly DeviceOverview[], meters: readonly { id: string }[], now: number) {
  const [meter] = meters
  if (!meter || meters.length > 1) return undefined
  const placed = devices.map(({ view }) => view?.device?.powerLimit).find((limit) => limit?.meterId === meter.id)
  const systems = devices.flatMap((seen) => seen.systems ?? [])
  const limits = [peakLimitOf(systems, meter, now), placed?.importKw ?? undefined].filter((kw) => kw !== undefined)
  return limits.length === 0 ? undefined : Math.min(...limits)
}

function peakLimitOf(systems: readonly TechnicalSystem[], meter: { id: string }, now: number) {
  const system = systems.find(({ peakShaving }) => peakShaving?.meterId === meter.id)
  const limit = system?.peakShaving?.limitKw
  if (limit === null || limit === undefined || typeof limit === 'number') return limit ?? undefined
  return limit[Number(toLocalInput(now, system?.timeZone ?? 'UTC').slice(11, 13))]
}

function readingsOf(devices: readonly DeviceOverview[]): ReadonlyMap<string, Reading> {
  return new Map(
    devices.flatMap((seen) => {
      const values = new Map(seen.view?.device?.connections.flatMap((each) => Object.entries(each.values)))
      return [...labelsOf(seen.systems ?? [])].map(([id, { name, unit = '', oldAfter }]) => {
        const read = values.get(id)
        const ageMs = read && seen.controllerNow - Date.parse(read.timestamp)
        const kw = typeof read?.value === 'number' ? read.value * (KILOWATTS[unit] ?? 1) : undefined
        const isOld = !isLive(seen) || (ageMs !== undefined && ageMs > oldAfter)
        return [id, { id, deviceId: seen.device.id, name, kw, isOld, ageMs }] as const
      })
    }),
  )
}
