import type { SunspecConfig, SunspecPoint } from './config.ts'
import type { Switch } from './controls.ts'
import { type Counts, countsOf, type ModelPlace, placeOf } from './layout.ts'
import type { Located } from './located.ts'
import { readUnscaled } from './values.ts'
import { BASES, type DeviceMap, type ReadRegisters, walkModels } from './walk.ts'

const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 60_000

/** Where each point of a connection is, or why it is not on the device. */
export type Places = ReadonlyMap<SunspecPoint, Located | string>

/** Knows where a device has its models. Finds them when they are needed and not known, one search at a time. */
export class DeviceModels {
  readonly #points: readonly SunspecPoint[]
  readonly #all: readonly SunspecPoint[]
  readonly #switches: ReadonlyMap<SunspecPoint, Switch>
  readonly #bases: readonly number[]
  #places: Places | undefined
  #base: number | undefined
  #isStale = false
  #search: Promise<Places> | undefined
  #failures = 0
  #retryAt = 0

  /** It is no problem not to find the timers and switches. */
  constructor(
    { points, baseAddress }: Pick<SunspecConfig<unknown>, 'points' | 'baseAddress'>,
    { timers, switches }: { timers: Iterable<SunspecPoint>; switches: ReadonlyMap<SunspecPoint, Switch> },
  ) {
    this.#points = points
    this.#switches = switches
    this.#all = [...new Set([...points, ...timers, ...[...switches.values()].map(({ point }) => point)])]
    this.#bases = baseAddress === undefined ? BASES : [baseAddress]
  }

  /** The device may have changed its models: the next call of `places` looks at them again. */
  forget(): void {
    this.#isStale = true
    this.#failures = 0
  }

  /** @param now monotonic. Searches again after a while if a point was not found. Rejects when nothing answers. */
  async places(read: ReadRegisters, now: number): Promise<Places> {
    const isDue = this.#failures > 0 && now >= this.#retryAt
    if (this.#places && !this.#isStale && !isDue && !this.#search) return this.#places
    this.#search ??= this.#find(read, now).finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  async #find(read: ReadRegisters, now: number): Promise<Places> {
    this.#isStale = false
    const found = await this.#look(read).catch((failure) => {
      this.#isStale = true
      throw failure
    })
    this.#places = found
    if (this.#points.some((point) => typeof found.get(point) === 'string')) {
      this.#retryAt = now + Math.min(FIRST_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS)
      this.#failures += 1
    } else this.#failures = 0
    return found
  }

  async #look(read: ReadRegisters): Promise<Places> {
    const base = this.#base
    // A device keeps its base, and asking for others may cost a timeout each.
    const bases = base === undefined ? this.#bases : [base, ...this.#bases.filter((each) => each !== base)]
    const map = await walkModels(read, bases)
    if ('error' in map) return new Map(this.#all.map((point) => [point, map.error]))
    this.#base = map.base
    const counted = new Map<ModelPlace, Counts | string>()
    const places = new Map<SunspecPoint, Located | string>()
    for (const point of this.#all) {
      const model = map.models.filter((each) => each.model === point.model)[point.instance - 1]
      places.set(
        point,
        model ? await locate(point, model, this.#switches.get(point), read, counted) : missing(point, map),
      )
    }
    return places
  }
}

async function locate(
  point: SunspecPoint,
  model: ModelPlace,
  onOff: Switch | undefined,
  read: ReadRegisters,
  counted: Map<ModelPlace, Counts | string>,
): Promise<Located | string> {
  const counts = counted.get(model) ?? (await readCounts(model, read))
  counted.set(model, counts)
  if (typeof counts === 'string') return counts
  const place = placeOf(point, model, counts)
  if (typeof place === 'string') return place
  // Switches are in the fixed part of each model.
  const isThere = onOff && onOff.point.definition.offset < 2 + model.length
  return { point, model, place, onOff: isThere ? onOff : undefined }
}

/** Reads how often the groups of a model repeat. */
export async function readCounts(
  { model, register, length }: ModelPlace,
  read: ReadRegisters,
): Promise<Counts | string> {
  const counts = new Map<string, number>()
  for (const { name, type, offset, width } of countsOf(model)) {
    if (type === 'string' || type === 'pad' || offset + width > 2 + length) continue
    const wire = await read(register + offset, width)
    if ('error' in wire) return `${name} cannot be read: ${wire.error}`
    const count = readUnscaled(type, wire, 0)
    if ('raw' in count) counts.set(name, Number(count.raw))
  }
  return counts
}

function missing({ model, instance }: SunspecPoint, { models, incomplete }: DeviceMap): string {
  const which = instance === 1 ? `model ${model}` : `model ${model} number ${instance}`
  const found = models.map((each) => each.model).join(', ') || 'none'
  return `the device has no ${which}; it has ${found}${incomplete === undefined ? '' : `, and ${incomplete}`}`
}
