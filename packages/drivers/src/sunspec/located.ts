import { Failure } from '@plantroom/contract/failure'
import type { Raw, Reading } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { exceptionText, isTemporary, type Reply } from '../modbus/frame.ts'
import type { Preparation } from '../modbus/unit-session.ts'
import type { SunspecPoint } from './config.ts'
import { isSwitchedOff, type Switch } from './controls.ts'
import type { ModelPlace, PointPlace } from './layout.ts'
import { applyScale, checkScale, encodeRegister, readUnscaled, toRegister } from './values.ts'

/** A point at its place in the device. */
export interface Located {
  point: SunspecPoint
  model: ModelPlace
  place: PointPlace
  /** What says whether the device follows the point. */
  onOff: Switch | undefined
}

export const MOVED = 'the device has moved its models; looking for them again'

/** The registers from the number of its model to the end of a point and everything that belongs to it. */
export function widthOf(located: Located): number {
  return Math.max(located.place.offset + located.point.definition.width, headWidth(located))
}

/** The registers from the number of the model to the end of scale factor and switch. */
export const headWidth = (located: Located) => Math.max(2, ...headOffsets(located).map((offset) => offset + 1))

/** The registers that a value means nothing without: number and length of the model, scale factor and switch. */
export function headOffsets({ place: { scale }, onOff }: Located): readonly number[] {
  const offsets = [0, 1]
  if (typeof scale === 'object') offsets.push(scale.offset)
  if (onOff) offsets.push(onOff.point.definition.offset)
  return offsets
}

type Word = (offset: number) => number

/** Reads what a value means nothing without. */
function readHead({ model, place: { scale }, onOff }: Located, word: Word) {
  if (word(0) !== model.model || word(1) !== model.length) return { hasMoved: true as const }
  const found = typeof scale === 'number' ? { scale } : checkScale(scale.name, (word(scale.offset) << 16) >> 16)
  const isOff = onOff !== undefined && isSwitchedOff(onOff, word(onOff.point.definition.offset))
  return { scale: found, isOff, hasMoved: false as const }
}

/**
 * Reads a point from the registers of its model, which begins at byte offset `at`. Number, length and scale factor of the
 * model come with the value, so that all of it is from one moment: a device may restart with other models.
 *
 * A control that is switched off has an image: writing its number would switch it on.
 */
export function readLocated(
  located: Located,
  wire: DataView,
  at: number,
): { reading: Reading; scale?: number; isOff?: boolean; hasMoved?: true } {
  const { point, place } = located
  const head = readHead(located, (offset) => wire.getUint16(at + offset * 2))
  if (head.hasMoved) return { reading: { error: MOVED }, hasMoved: true }
  const { scale, isOff } = head
  const image = isOff ? { image: imageOf(wire, at + place.offset * 2, point.definition.width) } : {}
  const value = readUnscaled(point.type, wire, at + place.offset * 2)
  if ('error' in value) return { reading: { ...value, ...image }, isOff }
  if ('error' in scale) return { reading: scale, isOff }
  return { reading: { raw: applyScale(value.raw, scale.scale), ...image }, scale: scale.scale, isOff }
}

const OFF = 'off '

const imageOf = (wire: DataView, at: number, width: number) =>
  `${OFF}${Buffer.from(wire.buffer, wire.byteOffset + at, width * 2).toString('hex')}`

/** Returns the registers of a control that was switched off. Throws a `Failure` of kind `rejected` if there are none. */
export function registersOfImage({ point }: Located, image: string): Uint8Array {
  const hex = image.slice(OFF.length)
  if (image.startsWith(OFF) && hex.length === point.definition.width * 4 && /^[0-9a-f]*$/.test(hex)) {
    return Uint8Array.from(Buffer.from(hex, 'hex'))
  }
  throw new Failure('rejected', `${point.name}: the image ${excerpt(image)} is none of this point`)
}

/** Returns the registers of a setpoint. Throws a `Failure` of kind `rejected` if it does not fit. */
export const registersOfValue =
  ({ type }: SunspecPoint, value: Raw) =>
  (scale: number): Uint8Array =>
    encodeRegister(type, toRegister(type, Number(value), scale))

/** Reads model, scale factor and switch right before a write, and makes its registers from them. */
export function prepareWrite(
  located: Located,
  encode: (scale: number) => Uint8Array,
  options: { maxRegisters: number; onMoved(): void; onSwitch(isOff: boolean): void },
): Preparation {
  const { point, model } = located
  const width = headWidth(located)
  const spans =
    width <= options.maxRegisters
      ? [{ from: 0, count: width }]
      : [
          { from: 0, count: 2 },
          ...headOffsets(located)
            .slice(2)
            .map((from) => ({ from, count: 1 })),
        ]
  return {
    reads: spans.map(({ from, count }) => ({ functionCode: 3, address: model.register + from, count })),
    payload(answers) {
      const words = new Map<number, number>()
      for (const [index, { from, count }] of spans.entries()) {
        const wire = registersIn(answers[index], point.name)
        for (let at = 0; at < count; at += 1) words.set(from + at, wire.getUint16(at * 2))
      }
      const head = readHead(located, (offset) => words.get(offset) ?? 0)
      if (head.hasMoved) {
        options.onMoved()
        throw new Failure('offline', `${point.name}: ${MOVED}`)
      }
      if ('error' in head.scale) throw new Failure('rejected', `${point.name}: ${head.scale.error}`)
      options.onSwitch(head.isOff)
      return encode(head.scale.scale)
    },
  }
}

/** Reads a register right before it is written, and makes its new content from it: nothing of ours comes in between. */
export function prepareChange(
  { point, model, place }: Located,
  change: (word: number) => number,
  { onMoved }: { onMoved(): void },
): Preparation {
  const at = (offset: number, count: number) => ({ functionCode: 3, address: model.register + offset, count }) as const
  return {
    reads: [at(0, 2), at(place.offset, 1)],
    payload([head, register]) {
      const found = registersIn(head, point.name)
      if (found.getUint16(0) !== model.model || found.getUint16(2) !== model.length) {
        onMoved()
        throw new Failure('offline', `${point.name}: ${MOVED}`)
      }
      const bytes = new Uint8Array(2)
      new DataView(bytes.buffer).setUint16(0, change(registersIn(register, point.name).getUint16(0)))
      return bytes
    },
  }
}

function registersIn(answer: Reply | undefined, name: string): DataView {
  if (answer && 'data' in answer) return new DataView(answer.data.buffer, answer.data.byteOffset)
  const code = answer?.exception ?? 0
  throw new Failure(isTemporary(code) ? 'offline' : 'rejected', `${name}: ${exceptionText(code)}`)
}
