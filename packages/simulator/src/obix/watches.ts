import type { Clock } from '@plantroom/base/clock'
import { nil, watchObject, watchOut } from './objects.ts'
import { childNamed, type Element } from './xml.ts'

/** The watches of all clients. A watch ends when it is not used during its lease. */
export interface Watches {
  /** Creates a watch and returns the name in its path. */
  make(): { id: string; watch: Element }
  read(id: string): Element | undefined
  setLease(id: string, seconds: number): Element | undefined
  /** Returns `undefined` if there is no such watch or operation. */
  invoke(id: string, operation: string, input: Element | undefined): Element | undefined
}

interface Watch {
  leaseSeconds: number
  endsAt: number
  /** The last reported object by the href that the client used. */
  told: Map<string, string>
}

const USUAL_LEASE_SECONDS = 60
const MAX_WATCHES = 100
const MAX_HREFS = 10_000

export function createWatches(deps: {
  clock: Clock
  /** Returns the object at an href; an `err` if there is none. */
  read(href: string): Element
  /** Overrides the lease of every watch. */
  forcedLeaseSeconds(): number | undefined
}): Watches {
  const { clock, read } = deps
  const watches = new Map<string, Watch>()
  let made = 0

  const leaseOf = (watch: Watch) => deps.forcedLeaseSeconds() ?? watch.leaseSeconds

  function renew(watch: Watch): void {
    watch.endsAt = clock.monotonic() + leaseOf(watch) * 1000
  }

  function dropEnded(): void {
    for (const [id, { endsAt }] of watches) if (endsAt <= clock.monotonic()) watches.delete(id)
  }

  function find(id: string): Watch | undefined {
    dropEnded()
    const watch = watches.get(id)
    if (watch) renew(watch)
    return watch
  }

  function tell(watch: Watch, hrefs: Iterable<string>, onlyChanges: boolean): Element {
    const values: Element[] = []
    for (const href of hrefs) {
      const object = read(href)
      const content = JSON.stringify(object)
      if (onlyChanges && watch.told.get(href) === content) continue
      if (object.tag !== 'err' && (watch.told.size < MAX_HREFS || watch.told.has(href))) watch.told.set(href, content)
      values.push(object)
    }
    return watchOut(values)
  }

  const operations: Record<string, (watch: Watch, id: string, input: Element | undefined) => Element> = {
    add: (watch, _id, input) => tell(watch, hrefsIn(input), false),
    remove(watch, _id, input) {
      for (const href of hrefsIn(input)) watch.told.delete(href)
      return nil
    },
    pollChanges: (watch) => tell(watch, [...watch.told.keys()], true),
    pollRefresh: (watch) => tell(watch, [...watch.told.keys()], false),
    delete(_watch, id) {
      watches.delete(id)
      return nil
    },
  }

  return {
    make() {
      dropEnded()
      const [oldest] = watches.keys()
      if (oldest !== undefined && watches.size >= MAX_WATCHES) watches.delete(oldest)
      made += 1
      const watch: Watch = { leaseSeconds: USUAL_LEASE_SECONDS, endsAt: 0, told: new Map() }
      renew(watch)
      watches.set(String(made), watch)
      return { id: String(made), watch: watchObject(leaseOf(watch)) }
    },
    read(id) {
      const watch = find(id)
      return watch && watchObject(leaseOf(watch))
    },
    setLease(id, seconds) {
      const watch = find(id)
      if (!watch) return undefined
      watch.leaseSeconds = seconds
      renew(watch)
      return childNamed(watchObject(leaseOf(watch)), 'lease')
    },
    invoke(id, operation, input) {
      const watch = find(id)
      const run = Object.hasOwn(operations, operation) ? operations[operation] : undefined
      return watch && run?.(watch, id, input)
    },
  }
}

function hrefsIn(input: Element | undefined): string[] {
  const items = childNamed(input, 'hrefs')?.children ?? []
  return items.flatMap(({ attributes }) => (attributes.val === undefined ? [] : [attributes.val]))
}
