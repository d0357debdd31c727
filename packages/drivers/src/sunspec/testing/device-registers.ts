import type { RegisterBank } from '../../modbus/testing/register-bank.ts'
import { definitionOf } from '../definitions.ts'
import { findPoint, type ModelPlace, placeOf } from '../layout.ts'
import { encodeRegister, isValueType, TYPES } from '../values.ts'

/** What a model of a scripted device holds: registers by the path of their point, and scale factors like any other. */
export interface ScriptedModel {
  model: number
  /** The length as the device says it; that of the definition by default. */
  length?: number
  values: Readonly<Record<string, number | bigint>>
}

/** Words of the types that stand for "not implemented". */
const ABSENT: Record<string, number> = { int: 0x8000, sunssf: 0x8000, acc: 0, float: 0x7fc0 }

/** Writes the models of a device into a register bank, from "SunS" to the end marker, and forgets what was there. */
export function putModels(
  { holding }: Pick<RegisterBank, 'holding'>,
  models: readonly ScriptedModel[],
  { base = 40_000, end = [0xffff, 0] }: { base?: number; end?: readonly number[] } = {},
): readonly ModelPlace[] {
  holding.clear()
  const put = (register: number, words: Iterable<number>) => {
    for (const word of words) holding.set(register++, word)
  }
  put(base, [0x5375, 0x6e53])
  let register = base + 2
  const places = models.map(({ model, length = usualLength(model), values }) => {
    const place = { model, register, length }
    put(register, [model, length, ...new Array<number>(length).fill(0xffff)])
    for (const point of definitionOf(model)?.points.slice(2) ?? []) {
      if (point.offset + point.width > length + 2) continue
      const absent = ABSENT[point.type.replace(/\d+$/, '')]
      if (absent !== undefined) put(register + point.offset, [absent, ...new Array<number>(point.width - 1).fill(0)])
      if (point.type === 'string') put(register + point.offset, new Array<number>(point.width).fill(0))
    }
    register += 2 + length
    for (const [path, value] of Object.entries(values)) setPoint({ holding }, place, path, value, counts(values))
    return place
  })
  put(register, end)
  return places
}

const counts = (values: ScriptedModel['values']) =>
  new Map(Object.entries(values).map(([name, value]) => [name, Number(value)]))

const usualLength = (model: number) => (definitionOf(model)?.width ?? 2) - 2

/** Sets the registers of a point, without its scale factor. */
export function setPoint(
  { holding }: Pick<RegisterBank, 'holding'>,
  model: ModelPlace,
  path: string,
  value: number | bigint,
  repeats: ReadonlyMap<string, number> = new Map(),
): void {
  const { register, type } = registerOf(model, path, repeats)
  const bytes = Buffer.from(encodeRegister(type, value))
  for (let at = 0; at < bytes.length; at += 2) holding.set(register + at / 2, bytes.readUInt16BE(at))
}

/** Returns what the registers of a point hold, without its scale factor. */
export function pointAt({ holding }: Pick<RegisterBank, 'holding'>, model: ModelPlace, path: string): number {
  const { register, type } = registerOf(model, path, new Map())
  const words = Array.from({ length: TYPES[type].width }, (_, index) => holding.get(register + index) ?? 0)
  const value = words.reduce((sum, word) => sum * 2 ** 16 + word, 0)
  const bits = words.length * 16
  const isSigned = type.startsWith('int') || type === 'sunssf'
  return isSigned && value >= 2 ** (bits - 1) ? value - 2 ** bits : value
}

function registerOf(model: ModelPlace, path: string, repeats: ReadonlyMap<string, number>) {
  const point = findPoint(model.model, path)
  if ('message' in point) throw new Error(point.message)
  const place = placeOf(point, model, repeats)
  const { type } = point.definition
  if (typeof place === 'string' || !isValueType(type)) throw new Error(`${path}: ${place}`)
  return { register: model.register + place.offset, type }
}
