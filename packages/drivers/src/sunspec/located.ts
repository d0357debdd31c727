import { Failure } from '@plantroom/contract/failure'
import type { Raw, Reading } from '../driver.ts'
import { exceptionText, isTemporary, type ReadRequest, type Reply } from '../modbus/frame.ts'
import type { Preparation } from '../modbus/unit-session.ts'
import type { SunspecPoint } from './config.ts'
import type { ModelPlace, PointPlace } from './layout.ts'
import { applyScale, encodeRegister, readScale, readUnscaled, toRegister } from './values.ts'

/** A point at its place in the device. */
export interface Located {
  point: SunspecPoint
  model: ModelPlace
  place: PointPlace
}

export const MOVED = 'the device has moved its models; looking for them again'

/** The registers from the number of its model to the end of a point and its scale factor. */
export function widthOf(located: Located): number {
  return Math.max(located.place.offset + located.point.definition.width, headWidth(located))
}

/** The registers from the number of the model to the end of the scale factor. */
export const headWidth = ({ place: { scale } }: Located) => (typeof scale === 'number' ? 2 : scale.offset + 1)

/** Reports whether the model still begins at byte offset `at`. */
const isThere = ({ model, length }: ModelPlace, wire: DataView, at: number) =>
  wire.getUint16(at) === model && wire.getUint16(at + 2) === length

/**
 * Reads a point from the registers of its model, which begins at byte offset `at`. Number, length and scale factor of the
 * model come with the value, so that all of it is from one moment: a device may restart with other models.
 */
export function readLocated(
  { point, model, place }: Located,
  wire: DataView,
  at: number,
): { reading: Reading; scale?: number; hasMoved?: true } {
  if (!isThere(model, wire, at)) return { reading: { error: MOVED }, hasMoved: true }
  const value = readUnscaled(point.type, wire, at + place.offset * 2)
  if ('error' in value) return { reading: value }
  const scale = scaleAt(place, wire, at)
  if ('error' in scale) return { reading: scale }
  return { reading: { raw: applyScale(value.raw, scale.scale) }, ...scale }
}

function scaleAt({ scale }: PointPlace, wire: DataView, at: number): { scale: number } | { error: string } {
  if (typeof scale === 'number') return { scale }
  return readScale(scale.name, wire, at + scale.offset * 2)
}

/** Reads model and scale factor right before a write, and makes its registers from them. */
export function prepareWrite(
  located: Located,
  value: Raw,
  { maxRegisters, onMoved }: { maxRegisters: number; onMoved: () => void },
): Preparation {
  const { point, model, place } = located
  const width = headWidth(located)
  const reads: ReadRequest[] = [{ functionCode: 3, address: model.register, count: Math.min(width, maxRegisters) }]
  if (width > maxRegisters) reads.push({ functionCode: 3, address: model.register + width - 1, count: 1 })
  return {
    reads,
    payload(answers) {
      const [head, far] = answers.map((answer) => registersIn(answer, point.name))
      if (!head || !isThere(model, head, 0)) {
        onMoved()
        throw new Failure('offline', `${point.name}: ${MOVED}`)
      }
      const scale =
        far && typeof place.scale === 'object' ? readScale(place.scale.name, far, 0) : scaleAt(place, head, 0)
      if ('error' in scale) throw new Failure('rejected', `${point.name}: ${scale.error}`)
      return encodeRegister(point.type, toRegister(point.type, Number(value), scale.scale))
    },
  }
}

function registersIn(answer: Reply, name: string): DataView {
  if ('data' in answer) return new DataView(answer.data.buffer, answer.data.byteOffset, answer.data.byteLength)
  throw new Failure(
    isTemporary(answer.exception) ? 'offline' : 'rejected',
    `${name}: ${exceptionText(answer.exception)}`,
  )
}
