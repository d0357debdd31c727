import { Failure } from '@plantroom/contract/failure'
import type {
  CheckedConnection,
  Driver,
  DriverListener,
  Image,
  Problem,
  Protocol,
  Raw,
  Reading,
  Target,
  Writable,
} from '@plantroom/drivers/driver'

export interface MemoryWrite {
  id: string
  raw: Writable
}

/** Equipment in memory behind a link that the test can cut, slow down and look at. */
export interface MemoryDriver extends Driver {
  /** Whom a driver tells what happens on its link; here the test does. */
  readonly listener: DriverListener | undefined
  /** What each point holds; a text is the reason why it cannot be read, an image something that is not a number. */
  readonly points: Map<string, Raw | string | Image>
  /** Why nobody gets through to the equipment; `undefined` while the link is good. */
  cut: string | undefined
  /** Opening, reading, and writing, wait for these. */
  opening: Promise<void>
  reading: Promise<void>
  writing: Promise<void>
  /** The points that answer neither reads nor writes, while the others do. */
  readonly silent: Set<string>
  /** The points that cannot be read, and why, while they can be written. */
  readonly unreadable: Map<string, string>
  /** The points that refuse what is written to them. */
  readonly refuse: Set<string>
  /** The points that acknowledge what is written to them, and keep what they hold. */
  readonly ignores: Set<string>
  /** The points that hold whole numbers only. */
  readonly integers: Set<string>
  /** Run around each write that reaches the equipment; what they throw, the write rejects with. */
  beforeWrite: ((id: string, raw: Writable) => void | Promise<void>) | undefined
  afterWrite: ((id: string, raw: Writable) => void | Promise<void>) | undefined
  /** Sets the points back to what they were made with, as a restart of the equipment behind its gateway does. */
  forget(): void
  /** Opens whatever is asked meanwhile, as a driver does whose connection stood in that very moment. */
  deaf: boolean
  isOpen(): boolean
  readonly opened: number
  /** The points of each read, in order. */
  readonly reads: readonly (readonly string[])[]
  /** Those of them that were to go ahead of the others. */
  readonly urgentReads: readonly (readonly string[])[]
  /** What reached the equipment, in order, also what it refused or ignored. */
  readonly writes: readonly MemoryWrite[]
}

export function createMemoryDriver(
  points: Readonly<Record<string, Raw | string | Image>> = {},
  listener?: DriverListener,
): MemoryDriver {
  const reads: (readonly string[])[] = []
  const urgentReads: (readonly string[])[] = []
  const writes: MemoryWrite[] = []
  let open = false
  let opened = 0
  let closing = Promise.withResolvers<never>()
  closing.promise.catch(() => {})

  const driver: MemoryDriver = {
    listener,
    points: new Map(Object.entries(points)),
    cut: undefined,
    opening: Promise.resolve(),
    reading: Promise.resolve(),
    writing: Promise.resolve(),
    silent: new Set(),
    unreadable: new Map(),
    refuse: new Set(),
    ignores: new Set(),
    integers: new Set(),
    beforeWrite: undefined,
    afterWrite: undefined,
    deaf: false,
    isOpen: () => open,
    get opened() {
      return opened
    },
    reads,
    urgentReads,
    writes,

    forget() {
      for (const [id, held] of Object.entries(points)) driver.points.set(id, held)
    },

    async open(signal) {
      opened += 1
      await (driver.deaf ? driver.opening : Promise.race([driver.opening, aborted(signal)]))
      if (driver.cut !== undefined) throw new Error(driver.cut)
      if (signal.aborted && !driver.deaf) throw new Error('called off')
      open = true
    },

    async read(pointIds, { urgent = false } = {}) {
      if (!open) throw new Error('not open')
      reads.push(pointIds)
      if (urgent) urgentReads.push(pointIds)
      await Promise.race([driver.reading, closing.promise])
      if (driver.cut !== undefined) {
        open = false
        throw new Error(driver.cut)
      }
      const why = (id: string) => (driver.silent.has(id) ? 'no answer' : driver.unreadable.get(id))
      return pointIds.map((id) => readingOf(why(id) ?? driver.points.get(id)))
    },

    nearest(pointId, raw) {
      if (Math.abs(raw) > Number.MAX_SAFE_INTEGER) throw new Failure('rejected', `${raw} cannot be written exactly`)
      return driver.integers.has(pointId) ? Math.round(raw) : raw
    },

    async write(pointId, raw, { stillWanted = () => true } = {}) {
      if (!open) throw new Failure('offline', 'not open')
      await Promise.race([driver.writing, closing.promise])
      if (driver.cut !== undefined) {
        open = false
        throw new Failure('offline', driver.cut)
      }
      await driver.beforeWrite?.(pointId, raw)
      if (!stillWanted()) throw new Failure('conflict', `${pointId}: no longer wanted`)
      if (driver.silent.has(pointId)) throw new Failure('offline', `${pointId}: no answer`)
      writes.push({ id: pointId, raw })
      if (driver.refuse.has(pointId)) throw new Failure('rejected', `${pointId}: refused`)
      if (!driver.ignores.has(pointId)) driver.points.set(pointId, raw)
      await driver.afterWrite?.(pointId, raw)
    },

    async close() {
      open = false
      closing.reject(new Failure('offline', 'closed'))
      closing = Promise.withResolvers<never>()
      closing.promise.catch(() => {})
    },
  }
  return driver
}

/** A protocol whose drivers are in memory, by the id of their connection: the latest last. */
export interface MemoryProtocol extends Protocol {
  driver(connectionId: string): MemoryDriver
  readonly drivers: ReadonlyMap<string, readonly MemoryDriver[]>
}

/** `settings.broken` is a mistake; `settings.points` is what its equipment holds. */
export function createMemoryProtocol(): MemoryProtocol {
  const drivers = new Map<string, MemoryDriver[]>()
  return {
    drivers,
    driver(connectionId) {
      const latest = drivers.get(connectionId)?.at(-1)
      if (!latest) throw new Error(`no driver was made for ${connectionId}`)
      return latest
    },
    check: ({ settings }): Problem[] =>
      settings.broken === undefined ? [] : [{ path: 'settings.broken', message: 'is not to be' }],
    targets: memoryTargets,
    connect({ id, settings }, listener) {
      if (settings.broken !== undefined) throw new Failure('invalid', 'settings.broken: is not to be')
      const driver = createMemoryDriver(settings.points as Record<string, Raw>, listener)
      drivers.set(id, [...(drivers.get(id) ?? []), driver])
      return driver
    },
  }
}

/** A datapoint writes the register in its `data`, or else one of its own; what it writes depends on `settings.host`. */
export function memoryTargets({ settings, datapoints }: CheckedConnection): (Target | undefined)[] {
  const at = JSON.stringify([settings.host, settings.unitId])
  return datapoints.map(({ name, accessType, data }) => {
    if (accessType === 'READ') return undefined
    const register = typeof data.register === 'number' ? data.register : undefined
    const space = register === undefined ? `${at} ${name}` : at
    const [start, end] = [register ?? 0, (register ?? 0) + 1]
    return { space, start, end, name: `register ${register}`, identity: JSON.stringify([space, data]) }
  })
}

function readingOf(held: Raw | string | Image | undefined): Reading {
  if (held === undefined) return { error: 'no such point' }
  if (typeof held === 'object') return { error: 'not a number', ...held }
  return typeof held === 'string' ? { error: held } : { raw: held }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new Error('called off'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
}
