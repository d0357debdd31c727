import type { Clock } from '@plantroom/base/clock'
import type { Unit } from '../modbus/functions.ts'
import { decodeWords, encodeWords } from '../modbus/register-words.ts'
import { type ModelPoint, pointsOf, REVERSIONS, SCALE_FACTORS } from './models.ts'

/** A value with its unit, a text, or something that is asked whenever registers are read. */
export type PointValue = number | string | (() => number)

/** A model of a device, with the points that it implements. */
export interface DeviceModel {
  model: number
  values: Readonly<Record<string, PointValue>>
}

export interface SunspecDevice {
  unit: Unit
  /** What the registers of a point show, with its scale factor. */
  value(model: number, point: string): number | undefined
  stop(): void
}

const BASE = 40_000
const SUNS = [0x5375, 0x6e53]
const END = [0xffff, 0]
const WORD_ORDER = 'ABCD'

/** What a device shows for a point that it does not implement. */
const NOT_IMPLEMENTED: Readonly<Record<string, readonly number[]>> = {
  ...{ int16: [0x8000], sunssf: [0x8000], acc32: [0, 0], float32: [0x7fc0, 0] },
}

/** The types of the standard as numbers in registers. */
const ENCODINGS: Readonly<Record<string, string>> = {
  ...{ uint16: 'uint16', int16: 'int16', sunssf: 'int16', enum16: 'uint16', bitfield16: 'uint16' },
  ...{ acc32: 'uint32', bitfield32: 'uint32', float32: 'float32' },
}

interface Placed extends ModelPoint {
  model: number
  register: number
}

/**
 * The registers of a SunSpec device: its models in their order from 40000 on. Only its controls can be written. A control
 * whose reversion timer runs out returns to what it was at the start. `changed` is called when controls were changed.
 */
export function createSunspecDevice(
  models: readonly DeviceModel[],
  clock: Clock,
  changed: () => void = () => {},
): SunspecDevice {
  const words = new Map<number, number>()
  const placed: Placed[] = []
  const live: { point: Placed; read: () => number }[] = []
  const timers = new Map<Placed, () => void>()
  const put = (register: number, values: readonly number[]) => {
    for (const [index, word] of values.entries()) words.set(register + index, word)
  }
  const find = (model: number, name: string) => placed.find((point) => point.model === model && point.name === name)

  put(BASE, SUNS)
  let register = BASE + SUNS.length
  for (const { model, values } of models) {
    const points = pointsOf(model)
    if (!points) throw new Error(`SunSpec model ${model} cannot be simulated`)
    const length = points.reduce((sum, { width }) => sum + width, 0)
    put(register, [model, length])
    for (const point of points) {
      const at = { ...point, model, register: register + point.offset }
      placed.push(at)
      const value = values[point.name]
      put(at.register, startWords(at, typeof value === 'function' ? value() : value, points, values))
      if (typeof value === 'function') live.push({ point: at, read: value })
    }
    register += 2 + length
  }
  put(register, END)
  const start = new Map(words)

  function revert(timer: Placed): void {
    timers.delete(timer)
    for (const name of [...(REVERSIONS[`${timer.model}.${timer.name}`] ?? []), timer.name]) {
      const point = find(timer.model, name)
      if (point) words.set(point.register, start.get(point.register) ?? 0)
    }
    changed()
  }

  function written(point: Placed, seconds: number): void {
    if (!(`${point.model}.${point.name}` in REVERSIONS)) return
    timers.get(point)?.()
    timers.delete(point)
    if (seconds > 0)
      timers.set(
        point,
        clock.after(seconds * 1000, () => revert(point)),
      )
  }

  return {
    unit: {
      readRegisters(table, address, count) {
        if (table !== 'holding') return undefined
        for (const { point, read } of live) put(point.register, encoded(point, read()))
        const found = Array.from({ length: count }, (_, index) => words.get(address + index))
        return found.every((word) => word !== undefined) ? found : undefined
      },
      readBits: () => undefined,
      writeRegisters(address, values) {
        const points = values.map((_, index) => controlAt(placed, words, address + index))
        if (!points.every((point) => point !== undefined)) return 'noSuchAddress'
        for (const [index, point] of points.entries()) {
          words.set(point.register, values[index] ?? 0)
          written(point, values[index] ?? 0)
        }
        changed()
        return 'written'
      },
      writeCoils: () => 'noSuchAddress',
    },
    value(model, name) {
      const point = find(model, name)
      const type = point && ENCODINGS[point.type]
      if (!point || type === undefined) return undefined
      const held = Array.from({ length: point.width }, (_, index) => words.get(point.register + index) ?? 0)
      return Number((decodeWords({ type, wordOrder: WORD_ORDER }, held) * factorOf(point)).toPrecision(12))
    },
    stop() {
      for (const cancel of timers.values()) cancel()
      timers.clear()
    },
  }
}

/** The control at a register; `undefined` for what can only be read or is not implemented. All controls have one register. */
function controlAt(
  placed: readonly Placed[],
  words: ReadonlyMap<number, number>,
  register: number,
): Placed | undefined {
  const point = placed.find((each) => each.register === register && each.isWritable)
  const absent = NOT_IMPLEMENTED[point?.type ?? '']?.[0] ?? 0xffff
  return words.get(register) === absent ? undefined : point
}

function startWords(
  point: Placed,
  value: number | string | undefined,
  points: readonly ModelPoint[],
  values: Readonly<Record<string, PointValue>>,
): readonly number[] {
  if (typeof value === 'number') return encoded(point, value)
  if (point.type === 'string') return textWords(value ?? '', point.width)
  const isUsed = points.some(({ name, scale }) => scale === point.name && name in values)
  if (point.type === 'sunssf' && isUsed) return encoded(point, SCALE_FACTORS[point.name] ?? 0)
  return NOT_IMPLEMENTED[point.type] ?? new Array<number>(point.width).fill(0xffff)
}

const factorOf = ({ scale }: ModelPoint) => (scale === undefined ? 1 : 10 ** (SCALE_FACTORS[scale] ?? 0))

const encoded = (point: ModelPoint, value: number) =>
  encodeWords({ type: ENCODINGS[point.type] ?? '', wordOrder: WORD_ORDER }, value / factorOf(point))

function textWords(text: string, width: number): number[] {
  const bytes = Buffer.alloc(width * 2)
  bytes.write(text)
  return Array.from({ length: width }, (_, index) => bytes.readUInt16BE(index * 2))
}
