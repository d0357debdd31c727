import type { ModelPlace } from './layout.ts'
import { headOffsets, headWidth, type Located, widthOf } from './located.ts'
import type { ReadRegisters } from './walk.ts'

/**
 * Reads models that are longer than one request, as far as these points go. The part with number, length and scale factors
 * is read again at the end: if it has changed, no value of the model is used.
 */
export async function readWhole(
  points: readonly Located[],
  { read, maxRegisters }: { read: ReadRegisters; maxRegisters: number },
): Promise<{ located: Located; whole: DataView | { error: string } }[]> {
  const results: { located: Located; whole: DataView | { error: string } }[] = []
  for (const [model, ofModel] of Map.groupBy(points, (point) => point.model)) {
    const whole = await readModel(model, ofModel, (register, count) => readLong(read, register, count, maxRegisters))
    results.push(...ofModel.map((located) => ({ located, whole })))
  }
  return results
}

async function readModel(
  { register }: ModelPlace,
  points: readonly Located[],
  read: ReadRegisters,
): Promise<DataView | { error: string }> {
  const whole = await read(register, Math.max(...points.map(widthOf)))
  if ('error' in whole) return whole
  const again = await read(register, Math.max(...points.map(headWidth)))
  if ('error' in again) return again
  const isSame = (offset: number) => whole.getUint16(offset * 2) === again.getUint16(offset * 2)
  if (points.flatMap(headOffsets).every(isSame)) return whole
  return { error: 'the device changed its scale factors while they were read' }
}

async function readLong(
  read: ReadRegisters,
  register: number,
  count: number,
  maxRegisters: number,
): Promise<DataView | { error: string }> {
  const bytes = new Uint8Array(count * 2)
  for (let from = 0; from < count; from += maxRegisters) {
    const part = await read(register + from, Math.min(maxRegisters, count - from))
    if ('error' in part) return part
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), from * 2)
  }
  return new DataView(bytes.buffer)
}
