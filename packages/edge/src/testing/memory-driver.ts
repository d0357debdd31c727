import { Failure } from '@plantroom/contract/failure'
import type { Driver, Problem, Protocol, Raw, Reading } from '@plantroom/drivers/driver'

/** Equipment in memory behind a link that the test can cut, slow down and look at. */
export interface MemoryDriver extends Driver {
  /** What each point holds; a text is the reason why it cannot be read. */
  readonly points: Map<string, Raw | string>
  /** Why nobody gets through to the equipment; `undefined` while the link is good. */
  cut: string | undefined
  /** Opening, and reading, wait for these. */
  opening: Promise<void>
  reading: Promise<void>
  /** Opens whatever is asked meanwhile, as a driver does whose connection stood in that very moment. */
  deaf: boolean
  isOpen(): boolean
  readonly opened: number
  /** The points of each read, in order. */
  readonly reads: readonly (readonly string[])[]
}

export function createMemoryDriver(points: Readonly<Record<string, Raw | string>> = {}): MemoryDriver {
  const reads: (readonly string[])[] = []
  let open = false
  let opened = 0
  let closing = Promise.withResolvers<never>()
  closing.promise.catch(() => {})

  const driver: MemoryDriver = {
    points: new Map(Object.entries(points)),
    cut: undefined,
    opening: Promise.resolve(),
    reading: Promise.resolve(),
    deaf: false,
    isOpen: () => open,
    get opened() {
      return opened
    },
    reads,

    async open(signal) {
      opened += 1
      await (driver.deaf ? driver.opening : Promise.race([driver.opening, aborted(signal)]))
      if (driver.cut !== undefined) throw new Error(driver.cut)
      if (signal.aborted && !driver.deaf) throw new Error('called off')
      open = true
    },

    async read(pointIds) {
      if (!open) throw new Error('not open')
      reads.push(pointIds)
      await Promise.race([driver.reading, closing.promise])
      if (driver.cut !== undefined) {
        open = false
        throw new Error(driver.cut)
      }
      return pointIds.map((id) => readingOf(driver.points.get(id)))
    },

    async write(pointId, raw) {
      driver.points.set(pointId, raw)
    },

    async close() {
      open = false
      closing.reject(new Error('closed'))
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
    connect({ id, settings }) {
      if (settings.broken !== undefined) throw new Failure('invalid', 'settings.broken: is not to be')
      const driver = createMemoryDriver(settings.points as Record<string, Raw>)
      drivers.set(id, [...(drivers.get(id) ?? []), driver])
      return driver
    },
  }
}

function readingOf(held: Raw | string | undefined): Reading {
  if (held === undefined) return { error: 'no such point' }
  return typeof held === 'string' ? { error: held } : { raw: held }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(new Error('called off'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
  })
}
