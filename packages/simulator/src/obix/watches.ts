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
  reported: Map<string, string>
}

interface WatchesDeps {
  clock: Clock
  /** Returns the object at an href; an `err` if there is none. */
  read(href: string): Element
  /** Overrides the lease of every watch. */
  forcedLeaseSeconds(): number | undefined
}

interface State extends WatchesDeps {
  readonly watches: Map<string, Watch>
  made: number
}

const USUAL_LEASE_SECONDS = 60
const MAX_WATCHES = 100
const MAX_HREFS = 10_000

export function createWatches(deps: WatchesDeps): Watches {
  const state: State = { ...deps, watches: new Map(), made: 0 }
  return {
    make: () => makeWatch(state),
    read(id) {
      const watch = useWatch(state, id)
      return watch && watchObject(leaseOf(state, watch))
    },
    setLease(id, seconds) {
      const watch = useWatch(state, id)
      if (!watch) return undefined
      watch.leaseSeconds = seconds
      renew(state, watch)
      return childNamed(watchObject(leaseOf(state, watch)), 'lease')
    },
    invoke(id, operation, input) {
      const watch = useWatch(state, id)
      const run = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined
      return watch && run?.(state, { id, watch, input })
    },
  }
}

function makeWatch(state: State): { id: string; watch: Element } {
  const { watches } = state
  dropEnded(state)
  const [oldest] = watches.keys()
  if (oldest !== undefined && watches.size >= MAX_WATCHES) watches.delete(oldest)
  state.made += 1
  const watch: Watch = { leaseSeconds: USUAL_LEASE_SECONDS, endsAt: 0, reported: new Map() }
  renew(state, watch)
  watches.set(String(state.made), watch)
  return { id: String(state.made), watch: watchObject(leaseOf(state, watch)) }
}

/** Returns the watch and renews its lease. */
function useWatch(state: State, id: string): Watch | undefined {
  dropEnded(state)
  const watch = state.watches.get(id)
  if (watch) renew(state, watch)
  return watch
}

function dropEnded({ watches, clock }: State): void {
  for (const [id, { endsAt }] of watches) if (endsAt <= clock.monotonic()) watches.delete(id)
}

function renew(state: State, watch: Watch): void {
  watch.endsAt = state.clock.monotonic() + leaseOf(state, watch) * 1000
}

function leaseOf({ forcedLeaseSeconds }: State, watch: Watch): number {
  return forcedLeaseSeconds() ?? watch.leaseSeconds
}

type Operation = (state: State, on: { id: string; watch: Watch; input: Element | undefined }) => Element

const OPERATIONS: Readonly<Record<string, Operation>> = {
  add: (state, { watch, input }) => report(state, watch, { hrefs: hrefsIn(input), onlyChanges: false }),
  remove(_state, { watch, input }) {
    for (const href of hrefsIn(input)) watch.reported.delete(href)
    return nil
  },
  pollChanges: (state, { watch }) => report(state, watch, { hrefs: [...watch.reported.keys()], onlyChanges: true }),
  pollRefresh: (state, { watch }) => report(state, watch, { hrefs: [...watch.reported.keys()], onlyChanges: false }),
  delete({ watches }, { id }) {
    watches.delete(id)
    return nil
  },
}

function report(
  { read }: State,
  { reported }: Watch,
  { hrefs, onlyChanges }: { hrefs: readonly string[]; onlyChanges: boolean },
): Element {
  const values: Element[] = []
  for (const href of hrefs) {
    const object = read(href)
    const content = JSON.stringify(object)
    if (onlyChanges && reported.get(href) === content) continue
    if (object.tag !== 'err' && (reported.size < MAX_HREFS || reported.has(href))) reported.set(href, content)
    values.push(object)
  }
  return watchOut(values)
}

function hrefsIn(input: Element | undefined): string[] {
  const items = childNamed(input, 'hrefs')?.children ?? []
  return items.flatMap(({ attributes }) => (attributes.val === undefined ? [] : [attributes.val]))
}
