import type { Raw } from '../driver.ts'
import { definitionOf, type GroupDefinition, type PointDefinition } from './definitions.ts'
import { readCounts } from './device.ts'
import { type Counts, type ModelPlace, repeats, widthOf } from './layout.ts'
import { applyScale, checkScale, isValueType, readUnscaled } from './values.ts'
import { BASES, type ReadRegisters, walkModels } from './walk.ts'

/** A point of a device, with the names and units of the standard. */
export interface ListedPoint {
  /** The `point` of a commissioning file. */
  path: string
  type: PointDefinition['type']
  unit: string
  writable: boolean
  /** Scaled; text as it is; `null` for a point that the device does not implement. */
  value: Raw | string | null
  /** The name of the state that the value is. */
  state: string | undefined
}

export interface ListedModel extends ModelPlace {
  /** Which of several models of that number, from 1. */
  instance: number
  /** The name of the model; `undefined` for one that we do not know, whose points cannot be listed. */
  name: string | undefined
  points: readonly ListedPoint[]
  /** Why its points could not be read. */
  error: string | undefined
}

export interface DeviceListing {
  base: number
  models: readonly ListedModel[]
  /** Why the list ends before its end marker. */
  incomplete: string | undefined
}

/** Lists every model of a device and every point that we know, with its value now. Returns why there is none. */
export async function listModels(
  read: ReadRegisters,
  bases: readonly number[] = BASES,
): Promise<DeviceListing | { error: string }> {
  const map = await walkModels(read, bases)
  if ('error' in map) return map
  const models: ListedModel[] = []
  for (const place of map.models) {
    const instance = models.filter(({ model }) => model === place.model).length + 1
    const definition = definitionOf(place.model)
    const points = definition ? await listPoints(definition, place, read) : []
    const error = typeof points === 'string' ? points : undefined
    models.push({ ...place, instance, name: definition?.name, points: typeof points === 'string' ? [] : points, error })
  }
  return { ...map, models }
}

const MAX_REGISTERS = 125
/** Points behind so many registers of a model are not listed. */
const MAX_LISTED = 2000

async function listPoints(
  definition: GroupDefinition,
  place: ModelPlace,
  read: ReadRegisters,
): Promise<readonly ListedPoint[] | string> {
  const counts = await readCounts(place, read)
  if (typeof counts === 'string') return counts
  const size = Math.min(2 + place.length, MAX_LISTED)
  const bytes = new Uint8Array(size * 2)
  for (let from = 0; from < size; from += MAX_REGISTERS) {
    const part = await read(place.register + from, Math.min(MAX_REGISTERS, size - from))
    if ('error' in part) return part.error
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), from * 2)
  }
  const wire = new DataView(bytes.buffer)
  return [...pointsIn(definition, { wire, counts, model: definition, start: 0, prefix: '' })]
}

interface Scope {
  wire: DataView
  counts: Counts
  model: GroupDefinition
  /** Where the group begins, in registers from the beginning of the model. */
  start: number
  prefix: string
}

function* pointsIn(group: GroupDefinition, scope: Scope): Iterable<ListedPoint> {
  const { wire, counts, start, prefix } = scope
  const size = wire.byteLength / 2
  const isHeader = (point: PointDefinition) => start === 0 && point.offset < 2
  for (const point of group.points) {
    if (point.type === 'pad' || point.type === 'sunssf' || isHeader(point)) continue
    if (start + point.offset + point.width <= size) yield listPoint(point, scope)
  }
  let next = start + group.width
  for (const each of group.groups) {
    const width = widthOf(each, counts)
    const most = repeats(each, counts, size - next)
    for (let block = 1; block <= most && next + width <= size; block += 1) {
      const name = each.count === 1 ? each.name : `${each.name}[${block}]`
      yield* pointsIn(each, { ...scope, start: next, prefix: `${prefix}${name}.` })
      next += width
    }
  }
}

function listPoint(point: PointDefinition, { wire, model, start, prefix }: Scope): ListedPoint {
  const { name, type, unit, writable, states } = point
  const value = shownValue(point, wire, start, model)
  const state = typeof value === 'number' ? states?.get(value) : undefined
  return { path: `${prefix}${name}`, type, unit, writable, value, state }
}

function shownValue(
  point: PointDefinition,
  wire: DataView,
  start: number,
  model: GroupDefinition,
): Raw | string | null {
  const at = (start + point.offset) * 2
  if (!isValueType(point.type)) return textAt(wire, at, point.width * 2)
  const value = readUnscaled(point.type, wire, at)
  if ('error' in value) return null
  const scale = model.points.find(({ name }) => name === point.scale)
  const factor = scale ? checkScale(scale.name, wire.getInt16(scale.offset * 2)) : { scale: 0 }
  return 'error' in factor ? null : applyScale(value.raw, factor.scale)
}

/** Returns the printable characters before the first zero. */
function textAt(wire: DataView, at: number, length: number): string | null {
  const bytes = Buffer.from(wire.buffer, wire.byteOffset + at, length)
  const end = bytes.indexOf(0)
  const text = bytes
    .subarray(0, end < 0 ? length : end)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '')
  return text.trim() === '' ? null : text.trim()
}
