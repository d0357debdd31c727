import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@plantroom/base/clock'
import type { PowerLimitSettings, TechnicalSystem } from '@plantroom/contract/datapoint'
import { DIRECTIONS, type Direction, type LimitState, type PowerLimitState } from '@plantroom/contract/power-limit'
import type { Connections } from '../connections/connections.ts'
import type { Meter } from '../optimisation/meter.ts'
import { type LoadState, NOTHING_MOVED, type RegulatorState, regulate } from '../optimisation/regulator.ts'
import type { Timekeeper } from '../overrides/timekeeper.ts'
import type { Moment } from '../overrides/timeline.ts'
import type { Audit } from '../reports/audit.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { PowerLimit, PowerLimitStore } from '../store/power-limit-store.ts'
import { addReading, openInterval } from '../telemetry/interval.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import { within } from '../writing/hold.ts'
import { allocate } from './allocate.ts'
import { quarterEnd } from './ceiling.ts'
import { type Contacts, createContacts } from './contacts.ts'
import { describeLimits } from './describe-limits.ts'
import { allowedNow, type InForce, inForce } from './in-force.ts'
import { boundOf, loadsSeen, wantedOf } from './loads.ts'
import type { LimitEnd, PowerLimits } from './power-limits.ts'
import { appliedEntry, intervalEntry, type Part, releasedEntry } from './proof.ts'
import type { Side } from './side.ts'
import { createTrustedMeter, type TrustedMeter } from './trusted-meter.ts'

const STEP_MS = 1_000
/** A reading counts until the next one, at most for this long. */
const READING_MS = 90_000
/** How long a load and the meter take to show a change. */
const REACTION_SECONDS = 10
/** How many readings in a row must be too high before loads are switched off. */
const PATIENCE = 2
const HYSTERESIS = { part: 0.02, leastKw: 0.3 }

/** Keeps the power of the connection point within its limits, by bounding what is written to loads. */
export interface Limiter {
  /** Follows the settings of a system, or forgets them. */
  apply(system: TechnicalSystem): void
  /** Bounds the loads that were limited before the restart, until the meter is read. Before anything is written. */
  resume(): void
  start(): void
  /** Looks again at once: limits were placed or released. */
  changed(): void
  /** A source of limits has spoken: the fallback for silence is over. */
  heard(): void
  meterId(): string | undefined
  released(to: Change, limit: PowerLimit, end: LimitEnd): void
  /** Returns what is limited at present; `undefined` without a commissioned power limit. */
  state(): PowerLimitState | undefined
  close(): void
}

interface LimiterDeps {
  limits: () => PowerLimits
  store: PowerLimitStore
  connections: Connections
  arbiter: Arbiter
  meter: Meter
  audit: Audit
  commits: Commits
  timekeeper: Timekeeper
  clock: Clock
  isMemoryLost: boolean
}

interface State extends LimiterDeps {
  systemId: string | undefined
  settings: PowerLimitSettings | undefined
  contacts: Contacts
  trusted: TrustedMeter
  sides: Record<Direction, Side>
  isSilent: boolean
  /** The wall time of the newest reading. */
  readAt: number
  meterKw: number | null
  isStarted: boolean
  cancel: () => void
}

const NO_SIDE: Side = { regulator: NOTHING_MOVED, part: undefined, ceilings: [], state: 'unlimited' }

export function createLimiter(deps: LimiterDeps): Limiter {
  const state: State = {
    ...deps,
    systemId: undefined,
    settings: undefined,
    contacts: createContacts(deps.connections),
    trusted: createTrustedMeter(deps.meter),
    sides: { import: NO_SIDE, export: NO_SIDE },
    isSilent: true,
    readAt: 0,
    meterKw: null,
    isStarted: false,
    cancel: () => {},
  }
  const look = () => {
    state.cancel()
    if (!state.isStarted) return
    const next = step(state)
    if (next) state.cancel = state.clock.after(STEP_MS, look)
  }
  return {
    apply(system) {
      const { powerLimit } = system
      if (!powerLimit && state.systemId !== system.id) return
      const before = state.settings?.loads ?? []
      if (!powerLimit) endAll(state)
      Object.assign(state, { systemId: powerLimit && system.id, settings: powerLimit })
      for (const { datapointId } of before) {
        if (!powerLimit?.loads.some((load) => load.datapointId === datapointId)) free(state, datapointId)
      }
      look()
    },
    resume: () => resume(state),
    start() {
      state.isStarted = true
      look()
    },
    changed: look,
    heard() {
      state.isSilent = false
    },
    meterId: () => state.settings?.meterId,
    released(to, limit, end) {
      const place = state.settings && state.connections.find(state.settings.meterId)
      if (!place) return
      const { wall } = state.timekeeper.now()
      const { part } = state.sides[limit.direction]
      if (part?.limit?.seq === limit.seq) {
        reportPart(state, to, limit.direction, part, wall)
        to.after(() => takePart(state, limit.direction))
      }
      if (limit.isApplied || end === 'restart')
        state.audit.add(to, state.audit.entry(releasedEntry(place, limit, end, wall)))
    },
    state: () => describeLimits(state),
    close() {
      state.isStarted = false
      state.cancel()
    },
  }
}

/** Returns whether another step is needed. */
function step(state: State): boolean {
  const { settings, timekeeper, commits } = state
  if (!settings || state.isMemoryLost) return false
  // Without the time, nobody knows which limits count: what is bounded stays bounded.
  if (timekeeper.suspect()) return true
  const now = timekeeper.now()
  beginAndEnd(state, now.wall)
  const reading = state.trusted.read(settings, now)
  const isNew = reading !== undefined && reading.at > state.readAt + 1
  if (reading && isNew) state.readAt = reading.at
  state.meterKw = reading?.kw ?? null
  const contactsKw = state.contacts.closed(settings.inputs ?? [], now.monotonic).map(({ limitKw }) => limitKw)
  const before = movesOf(state)
  for (const direction of DIRECTIONS) {
    const { isSilent } = state
    const limits = state.limits().all()
    const ceilings = inForce(direction, { settings, limits, contactsKw, isSilent, now: now.wall })
    follow(state, direction, { ceilings, reading, isNew, now })
  }
  apply(state)
  if (hasMoved(before, movesOf(state))) void commits.record((to) => remember(state, to, now))
  const isIdle = DIRECTIONS.every((direction) => state.sides[direction].regulator.loads.size === 0)
  const isAwaited = state.limits().all().length > 0 || (settings.inputs ?? []).length > 0
  return isAwaited || !isIdle || (state.isSilent && settings.fallback !== undefined)
}

/** Records which limits have started, and forgets those that are over. */
function beginAndEnd(state: State, now: number): void {
  const { settings, connections, commits, audit } = state
  const place = settings && connections.find(settings.meterId)
  for (const limit of state.limits().all()) {
    if (now >= limit.to) {
      const { part } = state.sides[limit.direction]
      if (part?.limit?.seq === limit.seq) closePart(state, limit.direction, limit.to)
      void commits.record((to) => {
        if (!state.limits().find(to, limit.seq)) return
        const end = limit.isApplied ? 'ended' : 'restart'
        if (place) audit.add(to, audit.entry(releasedEntry(place, limit, end, now)))
        state.limits().ended(to, limit)
      })
    } else if (now >= limit.from && !limit.isApplied) {
      void commits.record((to) => {
        if (state.limits().find(to, limit.seq)?.isApplied !== undefined) return
        if (place) audit.add(to, audit.entry(appliedEntry(place, limit, now)))
        state.limits().started(to, limit)
      })
    }
  }
}

interface Seen {
  ceilings: readonly InForce[]
  reading: { kw: number; at: number; ageMs: number } | undefined
  isNew: boolean
  now: Moment
}

/** Does one step for one direction. */
function follow(state: State, direction: Direction, { ceilings, reading, isNew, now }: Seen): void {
  const { settings } = state
  const side = state.sides[direction]
  const [strictest] = ceilings
  if (!settings) return
  if (!strictest) {
    closePart(state, direction, now.wall)
    state.sides[direction] = { ...NO_SIDE, regulator: resting(settings, side.regulator, now.monotonic) }
    return
  }
  const sign = direction === 'import' ? 1 : -1
  const isOther = side.part?.kw !== strictest.kw || side.part.limit?.seq !== strictest.limit?.seq
  if (isOther || now.wall >= (side.part?.to ?? 0)) closePart(state, direction, now.wall)
  const part = continued(state.sides[direction].part, strictest, { reading, isNew, now: now.wall, sign })
  const loads = loadsSeen(state, settings.loads, direction)
  const leastKw = direction === 'import' ? settings.guaranteedKw : 0
  const ceiling = { interval: part.interval, to: part.to, now: now.wall }
  let { regulator } = side
  let next: LimitState = strictest.isFallback ? 'fallback' : 'limited'
  if (!reading) {
    const { fallback } = settings
    const lostKw = (direction === 'import' ? fallback?.importKw : fallback?.exportKw) ?? strictest.kw
    regulator = withShares(regulator, allocate(loads, Math.min(lostKw, strictest.kw)), now.monotonic)
    next = 'fallback'
  } else if (isNew || isOther) {
    const done = regulate(
      regulator,
      {
        loads,
        meter: { kw: sign * reading.kw, at: now.monotonic - reading.ageMs },
        allowedKw: allowedNow(ceilings, ceiling, leastKw),
        leftSeconds: (part.to - now.wall) / 1000,
        laterKw: strictest.kw,
        hysteresisKw: Math.max(HYSTERESIS.leastKw, HYSTERESIS.part * strictest.kw),
        reactionSeconds: REACTION_SECONDS,
        patience: PATIENCE,
      },
      now.monotonic,
    )
    state.trusted.moved(done.movedKw, now)
    regulator = done.state
    next = done.isExhausted ? 'exhausted' : next
  } else if (side.state === 'exhausted') next = 'exhausted'
  state.sides[direction] = { regulator, part: { ...part, state: next }, ceilings, state: next }
}

/** Opens a part, or adds the reading to the one that is open. Export counts as import with the other sign. */
function continued(
  part: Part | undefined,
  { kw, limit, until }: InForce,
  { reading, isNew, now, sign }: Pick<Seen, 'reading' | 'isNew'> & { now: number; sign: number },
): Part {
  const opened = part ?? {
    interval: openInterval(now),
    to: Math.min(quarterEnd(now), until),
    ...{ kw, limit, moved: new Set<string>(), state: 'limited' as const },
  }
  if (!reading) return { ...opened, interval: addReading(opened.interval, { at: now, value: null }, READING_MS) }
  if (part && !isNew) return opened
  return { ...opened, interval: addReading(opened.interval, { at: reading.at, value: sign * reading.kw }, READING_MS) }
}

/** Reports a part that is over. */
function closePart(state: State, direction: Direction, at: number): void {
  const part = takePart(state, direction)
  if (part) void state.commits.record((to) => reportPart(state, to, direction, part, Math.min(at, part.to)))
}

function takePart(state: State, direction: Direction): Part | undefined {
  const { part, ...side } = state.sides[direction]
  state.sides[direction] = { ...side, part: undefined }
  return part
}

function reportPart(state: State, to: Change, direction: Direction, part: Part, at: number): void {
  const place = state.settings && state.connections.find(state.settings.meterId)
  if (!place || !part.limit || at <= part.interval.from) return
  state.audit.add(to, state.audit.entry(intervalEntry(place, direction, part, at)))
}

/** Without a limit, loads that move are free at once, and loads that switch when they have been off for long enough. */
function resting({ loads }: PowerLimitSettings, { loads: states }: RegulatorState, now: number): RegulatorState {
  const stopped = loads.flatMap((load): [string, LoadState][] => {
    const known = states.get(load.datapointId)
    const isDue = load.kind === 'switching' && known && now - known.since >= load.minOffSeconds * 1000
    return load.kind === 'switching' && known?.atMostKw === 0 && !isDue ? [[load.datapointId, known]] : []
  })
  return { loads: new Map(stopped), above: 0 }
}

function withShares(before: RegulatorState, shares: ReadonlyMap<string, number>, now: number): RegulatorState {
  const loads = new Map<string, LoadState>()
  for (const [id, atMostKw] of shares) {
    const known = before.loads.get(id) ?? { atMostKw: Number.POSITIVE_INFINITY, since: now, relapses: -1 }
    loads.set(id, known.atMostKw === atMostKw ? known : { ...known, atMostKw, since: now })
  }
  return { loads, above: 0 }
}

/** Bounds what is written to the loads, and holds those that no writer holds. */
function apply(state: State): void {
  const { settings, connections, arbiter, sides } = state
  for (const load of settings?.loads ?? []) {
    const id = load.datapointId
    const place = connections.find(id)
    if (!place) continue
    const bound = boundOf(load, {
      import: sides.import.regulator.loads.get(id),
      export: sides.export.regulator.loads.get(id),
    })
    const wanted = wantedOf(arbiter, place)
    const isMoved = bound !== undefined && wanted !== null && within(wanted, bound) !== wanted
    if (!isDeepStrictEqual(place.bound(), bound)) {
      connections.bind(id, bound)
      arbiter.boundChanged(id)
    }
    arbiter.claim(id, 'power-limit', isMoved ? { offset: 0 } : undefined)
    if (isMoved) for (const direction of DIRECTIONS) markMoved(sides, direction, id)
  }
}

function markMoved(sides: State['sides'], direction: Direction, id: string): void {
  const side = sides[direction]
  if (!side.part || side.part.moved.has(id) || !side.regulator.loads.has(id)) return
  sides[direction] = { ...side, part: { ...side.part, moved: new Set([...side.part.moved, id]) } }
}

/** Ends every limit: without a meter, nothing could keep them or prove that they were kept. */
function endAll(state: State): void {
  const { commits, audit, settings, connections, timekeeper } = state
  const place = settings && connections.find(settings.meterId)
  const { wall } = timekeeper.now()
  for (const direction of DIRECTIONS) closePart(state, direction, wall)
  void commits.record((to) => {
    for (const limit of state.limits().all()) {
      if (!state.limits().find(to, limit.seq)) continue
      if (place) audit.add(to, audit.entry(releasedEntry(place, limit, 'ended', wall)))
      state.limits().ended(to, limit)
    }
  })
}

/** Forgets a load that is no longer limited. */
function free({ connections, arbiter, sides }: State, datapointId: string): void {
  for (const direction of DIRECTIONS) {
    const { regulator, ...side } = sides[direction]
    const loads = new Map([...regulator.loads].filter(([id]) => id !== datapointId))
    sides[direction] = { ...side, regulator: { ...regulator, loads } }
  }
  connections.bind(datapointId, undefined)
  arbiter.boundChanged(datapointId)
  arbiter.claim(datapointId, 'power-limit', undefined)
}

type MovesKw = ReadonlyMap<string, number>

function movesOf({ sides }: State): MovesKw {
  return new Map([...sides.import.regulator.loads].map(([id, { atMostKw }]) => [id, atMostKw]))
}

/** A load that switches, or moves by a tenth of what it drew, is remembered for the next start. */
function hasMoved(before: MovesKw, after: MovesKw): boolean {
  if (before.size !== after.size) return true
  return [...after].some(([id, kw]) => {
    const was = before.get(id)
    return was === undefined || (was !== kw && !(Math.abs(kw - was) < Math.abs(was) / 10))
  })
}

function remember({ store, sides, settings }: State, to: Change, { wall, monotonic }: Moment): void {
  for (const { datapointId } of settings?.loads ?? []) {
    const known = sides.import.regulator.loads.get(datapointId)
    const atMostKw = known && Number.isFinite(known.atMostKw) ? known.atMostKw : null
    const since = known && wall - (monotonic - known.since)
    store.putMoved(
      to,
      datapointId,
      known && since !== undefined ? { atMostKw, since, relapses: known.relapses } : undefined,
    )
  }
}

function resume(state: State): void {
  const { settings, store, timekeeper } = state
  if (!settings || state.isMemoryLost) return
  const { wall, monotonic } = timekeeper.now()
  const moved = [...store.moved()].map(([id, { atMostKw, since, relapses }]): [string, LoadState] => [
    id,
    { atMostKw: atMostKw ?? Number.POSITIVE_INFINITY, since: monotonic - Math.max(0, wall - since), relapses },
  ])
  if (moved.length === 0) return
  state.sides.import = { ...NO_SIDE, regulator: { loads: new Map(moved), above: 0 } }
  apply(state)
}
