import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { DIRECTIONS, type PowerLimitState } from '@plantroom/contract/power-limit'
import { NO_HIGHS } from '../optimisation/hour-highs.ts'
import { createTrustedMeter } from '../optimisation/trusted-meter.ts'
import type { Change } from '../store/commits.ts'
import type { PowerLimit } from '../store/power-limit-store.ts'
import { bindLoads, freeLoad } from './bind-loads.ts'
import { createCharges } from './charges.ts'
import { commissionedKw } from './commissioned.ts'
import { createContacts } from './contacts.ts'
import { describeLimits } from './describe-limits.ts'
import { followCeilings, partsOver, READING_MS } from './follow-ceilings.ts'
import { inForce } from './in-force.ts'
import { highestNow, learnHighs, needsHighs, storedHighs } from './learn-highs.ts'
import type { LimiterDeps, LimiterState } from './limiter-state.ts'
import { loadsSeen, setKw } from './loads.ts'
import type { LimitEnd } from './power-limits.ts'
import { beginAndEnd, closeAll, closeParts, endAll, recordRelease } from './record-limits.ts'
import { hasMoved, movesOf, remember, resumeBounds } from './remember-moves.ts'
import { NO_SIDE } from './side.ts'
import { phaseOf, startLimits } from './start-limits.ts'

const STEP_MS = 1_000
/** While nothing is limited, and the site and its storages are only looked at. */
const LEARN_MS = 10_000

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

export function createLimiter(deps: LimiterDeps): Limiter {
  const state: LimiterState = {
    ...deps,
    systemId: undefined,
    settings: undefined,
    peakShaving: undefined,
    contacts: createContacts(deps.connections),
    charges: createCharges(deps.meter),
    trusted: createTrustedMeter(deps.meter),
    highs: NO_HIGHS,
    sides: { import: NO_SIDE, export: NO_SIDE },
    started: new Map(),
    remembered: new Map(),
    beingRecorded: new Set(),
    isSilent: true,
    isStarted: false,
    isFirstLook: true,
    unreadSince: undefined,
    cancel: () => {},
  }
  const look = () => {
    state.cancel()
    if (!state.isStarted) return
    const waitMs = step(state)
    if (waitMs !== undefined) state.cancel = state.clock.after(waitMs, look)
  }
  let isAsked = false
  /** Many limits that change in one transaction need one look. */
  const lookOnce = () => {
    if (isAsked) return
    isAsked = true
    queueMicrotask(() => {
      isAsked = false
      look()
    })
  }
  return {
    apply(system) {
      const { powerLimit } = system
      if (!powerLimit && state.systemId !== system.id) return
      const { loads: before = [], meterId } = state.settings ?? {}
      if (!powerLimit) endAll(state)
      const isOtherMeter = powerLimit?.meterId !== meterId
      if (isOtherMeter) {
        closeAll(state)
        state.highs = storedHighs(deps.store, powerLimit?.meterId)
      }
      const peakShaving = system.peakShaving?.meterId === powerLimit?.meterId ? system.peakShaving : undefined
      Object.assign(state, { systemId: powerLimit && system.id, settings: powerLimit, peakShaving })
      for (const { datapointId } of before) {
        if (!powerLimit?.loads.some((load) => load.datapointId === datapointId)) freeLoad(state, datapointId)
      }
      // What the other meter has proven is recorded first: the next interval begins there.
      if (isOtherMeter) void deps.commits.record((to) => to.after(look))
      else look()
    },
    resume: () => resumeBounds(state),
    start() {
      Object.assign(state, { isStarted: true, unreadSince: state.timekeeper.now().monotonic })
      look()
    },
    changed: lookOnce,
    heard() {
      // What it said before may be in the part of the memory that is missing.
      if (!state.isMemoryLost) state.isSilent = false
    },
    meterId: () => state.settings?.meterId,
    released: (to, limit, end) => recordRelease(state, to, limit, end),
    state: () => describeLimits(state),
    close() {
      state.isStarted = false
      state.cancel()
    },
  }
}

/** Returns when another step is needed, in milliseconds; `undefined` when none is. */
function step(state: LimiterState): number | undefined {
  const { settings, timekeeper, commits } = state
  if (!settings) return undefined
  // Without the time, its lower bound counts: a limit that is over by that is over, and nothing may be dated. Without part of
  // the memory, nothing may be recorded of limits either: the service gives them back as it knows them.
  const isDated = !timekeeper.suspect() && !state.isMemoryLost
  const now = isDated && state.isFirstLook ? timekeeper.atBoot() : timekeeper.now()
  if (isDated) {
    state.isFirstLook = false
    state.started = startLimits(state.started, state.limits().all(), now)
    beginAndEnd(state, now)
  }
  const { meterId, meterKwPerUnit: kwPerUnit, inputs = [] } = settings
  // What a contact may have bounded before the start stays so until that is read.
  if (state.contacts.areAwaited(inputs, now.monotonic) && state.remembered.size > 0) return STEP_MS
  const read = state.trusted.read({ meterId, kwPerUnit, pollSeconds: 0 }, now.monotonic)
  const reading = typeof read === 'string' ? undefined : read
  state.charges.look(settings, (load) => setKw(state, load), now.monotonic)
  if (reading) state.unreadSince = undefined
  if (isDated) learnHighs(state, { reading, now, longestMs: READING_MS })
  const contactsKw = state.contacts.closed(inputs, now.monotonic).map(({ limitKw }) => limitKw)
  const started = isDated ? state.started : startLimits(new Map(), state.limits().all(), now)
  const limits = state
    .limits()
    .all()
    .filter((limit) => phaseOf(limit, started, now) === 'active')
  for (const direction of DIRECTIONS) {
    const { isSilent, unreadSince } = state
    const ceilings = inForce(direction, { settings, limits, contactsKw, isSilent })
    closeParts(state, direction, now.wall, partsOver(ceilings, now.wall))
    const others = state.sides[direction === 'import' ? 'export' : 'import'].regulator.loads
    const loads = loadsSeen(state, settings.loads, { direction, others })
    const done = followCeilings(state.sides[direction], direction, {
      settings,
      loads,
      ceilings,
      commissionedKw: direction === 'import' ? commissionedKw(state, now) : undefined,
      reading,
      isFrozen: read === 'the meter does not follow the loads',
      highestKw: direction === 'import' && isDated ? highestNow(state, now) : undefined,
      unreadSince,
      now,
    })
    state.sides[direction] = isDated ? done.side : { ...done.side, parts: [] }
    state.trusted.moved(done.movedKw, now.monotonic)
  }
  bindLoads(state)
  const moves = movesOf(state)
  if (hasMoved(state.remembered, moves)) {
    state.remembered = moves
    void commits.record((to) => remember(state, to, now))
  }
  const isIdle = DIRECTIONS.every((direction) => state.sides[direction].regulator.loads.size === 0)
  const isAwaited = state.limits().all().length > 0 || inputs.length > 0
  if (isAwaited || !isIdle || (state.isSilent && settings.fallback !== undefined)) return STEP_MS
  return needsHighs(settings) || state.charges.all().length > 0 ? LEARN_MS : undefined
}
