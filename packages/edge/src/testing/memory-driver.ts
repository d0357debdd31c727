import { type Clock, sleep } from '@plantroom/base/clock'
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
  WriteOptions,
} from '@plantroom/drivers/driver'

export interface MemoryWrite {
  id: string
  raw: Writable
}

/** Equipment in memory behind a link that the test can cut, slow down and inspect. */
export interface MemoryDriver extends Driver {
  /** The listener of the driver. The test calls it. */
  readonly listener: DriverListener | undefined
  /** The value of each point: a number, the reason why it cannot be read, or an image that is not a number. */
  readonly points: Map<string, Raw | string | Image>
  /** Why the equipment cannot be reached; `undefined` while the link is good. */
  cut: string | undefined
  /** Opening, reading and writing wait for these. */
  opening: Promise<void>
  reading: Promise<void>
  writing: Promise<void>
  /** The points that answer neither reads nor writes. */
  readonly silent: Set<string>
  /** The points that can be written but not read, and why. */
  readonly unreadable: Map<string, string>
  /** The points that reject writes. */
  readonly refuse: Set<string>
  /** The points that acknowledge writes and keep their old value. */
  readonly ignores: Set<string>
  /** The points that can only hold whole numbers. */
  readonly integers: Set<string>
  /** What the equipment makes of a value that is written; `undefined` keeps the old one. By default, the value. */
  keeps: ((id: string, raw: Writable) => Writable | undefined) | undefined
  /** What a reading shows of a number that the equipment holds. By default, the number. */
  showing: ((id: string, raw: Raw) => Raw) | undefined
  /** Run before and after each write that reaches the equipment. The write rejects with what they throw. */
  beforeWrite: ((id: string, raw: Writable) => void | Promise<void>) | undefined
  afterWrite: ((id: string, raw: Writable) => void | Promise<void>) | undefined
  /** Resets the points to their initial values, as a restart of the equipment behind its gateway does. */
  forget(): void
  /** Opens even if the attempt is aborted, like a driver whose connection comes up at that very moment. */
  deaf: boolean
  isOpen(): boolean
  readonly opened: number
  /** The points of each read, in order. */
  readonly reads: readonly (readonly string[])[]
  /** Those of them that were urgent. */
  readonly urgentReads: readonly (readonly string[])[]
  /** The writes that reached the equipment, in order, including rejected and ignored ones. */
  readonly writes: readonly MemoryWrite[]
}

export function createMemoryDriver(
  points: Readonly<Record<string, Raw | string | Image>> = {},
  listener?: DriverListener,
): MemoryDriver {
  const reads: (readonly string[])[] = []
  const urgentReads: (readonly string[])[] = []
  const writes: MemoryWrite[] = []
  const link: Link = { isOpen: false, opened: 0, closing: newClosing() }

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
    keeps: undefined,
    showing: undefined,
    beforeWrite: undefined,
    afterWrite: undefined,
    deaf: false,
    isOpen: () => link.isOpen,
    get opened() {
      return link.opened
    },
    reads,
    urgentReads,
    writes,
    forget() {
      for (const [id, held] of Object.entries(points)) driver.points.set(id, held)
    },
    open: (signal) => open(driver, link, signal),
    read(pointIds, { urgent = false } = {}) {
      if (link.isOpen) reads.push(pointIds)
      if (link.isOpen && urgent) urgentReads.push(pointIds)
      return read(driver, link, pointIds)
    },
    nearest(pointId, raw) {
      if (Math.abs(raw) > Number.MAX_SAFE_INTEGER) throw new Failure('rejected', `${raw} cannot be written exactly`)
      return driver.integers.has(pointId) ? Math.round(raw) : raw
    },
    write: (pointId, raw, options) => write(driver, link, { id: pointId, raw, writes, ...options }),
    async close() {
      link.isOpen = false
      link.closing.reject(new Failure('offline', 'closed'))
      link.closing = newClosing()
    },
  }
  return driver
}

interface Link {
  isOpen: boolean
  opened: number
  /** Rejects when the link is closed. */
  closing: PromiseWithResolvers<never>
}

function newClosing(): PromiseWithResolvers<never> {
  const closing = Promise.withResolvers<never>()
  closing.promise.catch(() => {})
  return closing
}

async function open(driver: MemoryDriver, link: Link, signal: AbortSignal): Promise<void> {
  link.opened += 1
  await (driver.deaf ? driver.opening : Promise.race([driver.opening, aborted(signal)]))
  if (driver.cut !== undefined) throw new Error(driver.cut)
  if (signal.aborted && !driver.deaf) throw new Error('aborted')
  link.isOpen = true
}

async function read(driver: MemoryDriver, link: Link, pointIds: readonly string[]): Promise<Reading[]> {
  if (!link.isOpen) throw new Error('not open')
  await Promise.race([driver.reading, link.closing.promise])
  if (driver.cut !== undefined) {
    link.isOpen = false
    throw new Error(driver.cut)
  }
  const why = (id: string) => (driver.silent.has(id) ? 'no answer' : driver.unreadable.get(id))
  const shown = (id: string) => {
    const held = driver.points.get(id)
    return driver.showing && (typeof held === 'number' || typeof held === 'bigint') ? driver.showing(id, held) : held
  }
  return pointIds.map((id) => readingOf(why(id) ?? shown(id)))
}

async function write(
  driver: MemoryDriver,
  link: Link,
  { id, raw, writes, stillWanted = () => true }: MemoryWrite & { writes: MemoryWrite[] } & WriteOptions,
): Promise<void> {
  if (!link.isOpen) throw new Failure('offline', 'not open')
  await Promise.race([driver.writing, link.closing.promise])
  if (driver.cut !== undefined) {
    link.isOpen = false
    throw new Failure('offline', driver.cut)
  }
  await driver.beforeWrite?.(id, raw)
  if (!stillWanted()) throw new Failure('conflict', `${id}: no longer wanted`)
  if (driver.silent.has(id)) throw new Failure('offline', `${id}: no answer`)
  writes.push({ id, raw })
  if (driver.refuse.has(id)) throw new Failure('rejected', `${id}: refused`)
  const kept = driver.keeps ? driver.keeps(id, raw) : raw
  if (kept !== undefined && !driver.ignores.has(id)) driver.points.set(id, kept)
  await driver.afterWrite?.(id, raw)
}

/** A driver that accepts the connection and lets every request time out. */
export function createSilentDriver(clock: Clock, timeoutMs: number): Driver {
  const closed = new AbortController()
  const noAnswer = async () => {
    await sleep(clock, timeoutMs, closed.signal)
    throw new Failure('offline', 'no answer')
  }
  return {
    open: async () => {},
    read: noAnswer,
    write: noAnswer,
    nearest: (_id, raw) => raw,
    close: async () => closed.abort(),
  }
}

/** A protocol whose drivers are in memory, by connection id, the latest last. */
export interface MemoryProtocol extends Protocol {
  driver(connectionId: string): MemoryDriver
  readonly drivers: ReadonlyMap<string, readonly MemoryDriver[]>
}

/** `settings.broken` is invalid; `settings.points` are the values of the equipment. */
export function createMemoryProtocol(): MemoryProtocol {
  const drivers = new Map<string, MemoryDriver[]>()
  return {
    drivers,
    driver(connectionId) {
      const latest = drivers.get(connectionId)?.at(-1)
      if (!latest) throw new Error(`there is no driver for ${connectionId}`)
      return latest
    },
    check: ({ settings }): Problem[] =>
      settings.broken === undefined ? [] : [{ path: 'settings.broken', message: 'is invalid' }],
    targets: memoryTargets,
    connect({ id, settings }, listener) {
      if (settings.broken !== undefined) throw new Failure('invalid', 'settings.broken: is invalid')
      const driver = createMemoryDriver(settings.points as Record<string, Raw>, listener)
      drivers.set(id, [...(drivers.get(id) ?? []), driver])
      return driver
    },
  }
}

/** A datapoint writes the register in its `data`, or one of its own, on the equipment at `settings.host`. */
export function memoryTargets({ settings, datapoints }: CheckedConnection): (Target | undefined)[] {
  const at = JSON.stringify([settings.host, settings.unitId])
  return datapoints.map(({ name, accessType, data }) => {
    if (accessType === 'READ') return undefined
    const register = typeof data.register === 'number' ? data.register : undefined
    const space = register === undefined ? `${at} ${name}` : at
    const [start, end] = [register ?? 0, (register ?? 0) + 1]
    const { register: _, ...meaning } = data
    return {
      ...{ space, start, end, name: `register ${register}`, reach: 'everywhere' },
      identity: JSON.stringify([space, settings.password, data]),
      meaning: JSON.stringify(meaning),
    }
  })
}

function readingOf(held: Raw | string | Image | undefined): Reading {
  if (held === undefined) return { error: 'no such point' }
  if (typeof held === 'object') return { error: 'not a number', ...held }
  return typeof held === 'string' ? { error: held } : { raw: held }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new Error('aborted'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
}
