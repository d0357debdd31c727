import type { ModelPlace } from './layout.ts'

/** Reads registers; an `error` says why they cannot be read. Rejects when nothing answers. */
export type ReadRegisters = (register: number, count: number) => Promise<DataView | { error: string }>

/** The models of a device in their order. */
export interface DeviceMap {
  /** The address of "SunS". */
  base: number
  models: readonly ModelPlace[]
  /** Why the list ends before its end marker: models behind it are not known. */
  incomplete: string | undefined
}

/** Where a device may have its map, the most usual address first. */
export const BASES = [40_000, 50_000, 0] as const

const SUNS = 0x53756e53
const END = 0xffff
/** No device has nearly as many. */
const MAX_MODELS = 200
const ADDRESSES = 65_536

/** Finds "SunS" and follows the models from there, with the lengths that the device gives. Returns why there is none. */
export async function walkModels(
  read: ReadRegisters,
  bases: readonly number[] = BASES,
): Promise<DeviceMap | { error: string }> {
  const tried: string[] = []
  for (const base of bases) {
    const marker = await read(base, 2)
    if ('error' in marker) tried.push(`${base} (${marker.error})`)
    else if (marker.getUint32(0) === SUNS) return { base, ...(await followModels(read, base + 2)) }
    else tried.push(`${base} (holds something else)`)
  }
  return { error: `no SunSpec models found at ${tried.join(', ')}` }
}

async function followModels(read: ReadRegisters, first: number): Promise<Omit<DeviceMap, 'base'>> {
  const models: ModelPlace[] = []
  let register = first
  const stop = (reason: string) => ({
    models,
    incomplete: `the list of models ends at register ${register}: ${reason}`,
  })
  while (models.length < MAX_MODELS) {
    if (register + 2 > ADDRESSES) return stop('there are no more registers')
    const header = await read(register, 2)
    if ('error' in header) return stop(header.error)
    const [model, length] = [header.getUint16(0), header.getUint16(2)]
    if (model === END) return { models, incomplete: undefined }
    // A list without an end marker goes on with empty registers.
    if (model === 0) return stop('it holds no model')
    models.push({ model, register, length })
    register += 2 + length
  }
  return stop(`it has more than ${MAX_MODELS} models`)
}
