import type { Clock } from '@plantroom/base/clock'
import type { Outcome, Unit } from '../modbus/functions.ts'
import { decodeWords, type Encoding, encodeWords, widthOf } from '../modbus/register-words.ts'
import { createFallbacks } from './fallbacks.ts'
import type { SimulatedPoint } from './start-values.ts'

interface Place extends Encoding {
  table: string
  register: number
  bit: number | undefined
  isWritable: boolean
}

/** The registers and bits of a template: every other address is refused, as is a write to what can only be read. */
export function createTemplateUnit(
  points: readonly SimulatedPoint[],
  clock: Clock,
): {
  unit: Unit
  raw(name: string): number | undefined
  stop(): void
} {
  const words = { holding: new Map<number, number>(), input: new Map<number, number>() }
  const bits = { coil: new Map<number, boolean>(), discrete: new Map<number, boolean>() }
  const writable = new Set<string>()
  const places = new Map(points.map((point) => [point.datapoint.name, placeOf(point)]))
  const fallbacks = createFallbacks(points, clock, (name, value) => {
    const place = places.get(name)
    if (place) set(place, value)
  })
  for (const point of points) {
    const place = placeOf(point)
    if (place.isWritable) for (const at of addressesOf(place)) writable.add(`${place.table} ${at}`)
    set(place, point.raw)
  }

  function set(place: Place, value: number): void {
    if (place.table === 'coil' || place.table === 'discrete') bits[place.table].set(place.register, value !== 0)
    else setWords(words[place.table === 'input' ? 'input' : 'holding'], place, value)
  }

  function raw(name: string): number | undefined {
    const place = places.get(name)
    if (!place) return undefined
    const { table, register, type, bit } = place
    if (table === 'coil' || table === 'discrete') return bits[table].get(register) ? 1 : 0
    const held = range(words[table === 'input' ? 'input' : 'holding'], register, widthOf(type))
    if (!held) return undefined
    return bit === undefined ? decodeWords(place, held) : ((held[0] ?? 0) >> bit) & 1
  }

  function write<Value>(
    table: 'holding' | 'coil',
    into: Map<number, Value>,
    address: number,
    values: readonly Value[],
  ): Outcome {
    if (values.some((_, index) => !writable.has(`${table} ${address + index}`))) return 'noSuchAddress'
    for (const [index, value] of values.entries()) into.set(address + index, value)
    const isIn = (at: number) => at >= address && at < address + values.length
    for (const [name, place] of places) {
      if (place.table === table && addressesOf(place).some(isIn)) fallbacks.written(name, raw(name) ?? 0)
    }
    return 'written'
  }

  return {
    unit: {
      readRegisters: (table, address, count) => range(words[table], address, count),
      readBits: (table, address, count) => range(bits[table], address, count),
      writeRegisters: (address, values) => write('holding', words.holding, address, values),
      writeCoils: (address, values) => write('coil', bits.coil, address, values),
    },
    raw,
    stop: fallbacks.stop,
  }
}

function placeOf({ datapoint: { data, accessType } }: SimulatedPoint): Place {
  const { table = 'holding', register = 0, type = 'bool', wordOrder = 'ABCD', bit } = data as Partial<Place>
  return { table, register, type, wordOrder, bit, isWritable: accessType !== 'READ' }
}

const addressesOf = ({ table, register, type }: Place) =>
  Array.from({ length: table === 'coil' ? 1 : widthOf(type) }, (_, index) => register + index)

function setWords(into: Map<number, number>, place: Place, raw: number): void {
  const { register, bit } = place
  if (bit !== undefined) into.set(register, ((into.get(register) ?? 0) & ~(1 << bit)) | (raw === 0 ? 0 : 1 << bit))
  else for (const [index, word] of encodeWords(place, raw).entries()) into.set(register + index, word)
}

function range<Value>(from: ReadonlyMap<number, Value>, address: number, count: number): Value[] | undefined {
  const found = Array.from({ length: count }, (_, index) => from.get(address + index))
  return found.every((value) => value !== undefined) ? found : undefined
}
