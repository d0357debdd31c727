import type { PowerLimitSettings } from '@plantroom/contract/datapoint'
import type { Direction, LimitState, StrictestLimit } from '@plantroom/contract/power-limit'
import { quarterEnd, quarterStart } from '../optimisation/ceiling.ts'
import { regulate } from '../optimisation/regulator.ts'
import type { LoadSeen, LoadState, RegulatorState } from '../optimisation/regulator-state.ts'
import type { TrustedReading } from '../optimisation/trusted-meter.ts'
import type { Moment } from '../overrides/timeline.ts'
import { addReading, openInterval } from '../telemetry/interval.ts'
import { allocate } from './allocate.ts'
import { ceilingKey, ceilingOf, type InForce, strictestOf } from './in-force.ts'
import type { Part } from './proof.ts'
import { NO_SIDE, type Side } from './side.ts'

/** A reading counts until the next one, at most for this long. */
export const READING_MS = 90_000
/** How many readings in a row must be too high before loads are switched off. */
const PATIENCE = 2
const HYSTERESIS = { part: 0.02, leastKw: 0.3 }

interface Seen {
  settings: PowerLimitSettings
  loads: readonly LoadSeen[]
  ceilings: readonly InForce[]
  /** The limit of peak shaving at this meter. */
  commissionedKw: number | undefined
  reading: TrustedReading | undefined
  /** The meter does not follow the loads, so that the last steps may have been wrong. */
  isFrozen: boolean
  /** The highest power of everything else at this hour, if it is known. */
  highestKw: number | undefined
  /** The monotonic time of the start, while the meter was not read after it. */
  unreadSince: number | undefined
  now: Moment
}

/** Returns whether open parts of intervals are over: their time is not now, or their ceiling is no longer in force. */
export function partsOver(ceilings: readonly InForce[], now: number): (part: Part) => boolean {
  const inForce = new Set(followed(ceilings).map(ceilingKey))
  return (part) => !inForce.has(ceilingKey(part)) || now >= part.to || now < part.interval.from
}

/** Every placed limit has its own proof. Of the other ceilings, the strictest has one. */
function followed(ceilings: readonly InForce[]): readonly InForce[] {
  const standing = ceilings.find(({ limit }) => !limit)
  return ceilings.filter((one) => one.limit || one === standing)
}

/** Does one step for one direction. Returns by how much its loads will draw more than before, or less. */
export function followCeilings(
  side: Side,
  direction: Direction,
  { settings, loads, ceilings, commissionedKw, reading, isFrozen, highestKw, unreadSince, now }: Seen,
): { side: Side; movedKw: number } {
  const [strictest] = ceilings
  if (!strictest) {
    return { side: { ...NO_SIDE, regulator: resting(settings, side.regulator, now.monotonic) }, movedKw: 0 }
  }
  const sign = direction === 'import' ? 1 : -1
  const isOther = side.ceilings[0]?.kw !== strictest.kw || side.ceilings[0].limit?.seq !== strictest.limit?.seq
  const open = new Map(side.parts.map((part) => [ceilingKey(part), part]))
  const limitedBy = strictestOf(ceilings, commissionedKw)
  const parts = followed(ceilings)
    .map((ceiling) => continued(open.get(ceilingKey(ceiling)), ceiling, { reading, now: now.wall, sign }))
    .map((part) => ({ ...part, ...stricter(part.limitedBy, limitedBy) }))
  const known: LimitState = strictest.isFallback ? 'fallback' : 'limited'
  const after = (regulator: RegulatorState, state: LimitState, movedKw = 0) => ({
    side: { regulator, parts: parts.map((part) => ({ ...part, state })), ceilings, state },
    movedKw,
  })
  if (!reading) {
    // Until the meter has had the time to be read, what was bounded before the start stays as it was.
    const isAwaited = unreadSince !== undefined && now.monotonic - unreadSince <= READING_MS
    const undecided = loads.filter(({ id }) => !isAwaited || !side.regulator.loads.has(id))
    if (undecided.length === 0) return after(side.regulator, known)
    const { fallback } = settings
    const lostKw = (direction === 'import' ? fallback?.importKw : fallback?.exportKw) ?? strictest.kw
    const shares = allocate(loads, Math.min(lostKw, strictest.kw))
    // Shares know nothing of what else is drawn. What was right at the last reading is not raised without another one.
    const mayRise = isFrozen || !(side.ceilings[0] && side.ceilings[0].kw >= strictest.kw)
    return after(withShares(side.regulator, { loads: undecided, shares, mayRise }, now.monotonic), 'fallback')
  }
  if (!reading.isNew && !isOther) return after(side.regulator, side.state === 'exhausted' ? 'exhausted' : known)
  const leastKw = direction === 'import' ? settings.guaranteedKw : 0
  const seen = {
    loads,
    meter: { kw: sign * reading.kw, at: reading.at },
    ceiling: ceilingOf(ceilings, parts, now.wall, leastKw),
    hysteresisKw: Math.max(HYSTERESIS.leastKw, HYSTERESIS.part * strictest.kw),
    patience: PATIENCE,
    highestKw,
  }
  const { state, isExhausted, movedKw } = regulate(side.regulator, seen, now.monotonic)
  return after(state, isExhausted ? 'exhausted' : known, movedKw)
}

/** Opens a part, or adds the reading to the one that is open. Export counts as import with the other sign. */
function continued(
  part: Part | undefined,
  { kw, limit, until, isFallback }: InForce,
  { reading, now, sign }: Pick<Seen, 'reading'> & { now: number; sign: number },
): Part {
  const opened = part ?? {
    interval: openInterval(beginningOf(limit, now)),
    to: Math.min(quarterEnd(now), until),
    ...{ kw, limit, ...(isFallback && { isFallback }), moved: new Set<string>(), state: 'limited' as const },
  }
  if (!reading) return { ...opened, interval: addReading(opened.interval, { at: now, value: null }, READING_MS) }
  if (part && !reading.isNew) return opened
  return {
    ...opened,
    interval: addReading(opened.interval, { at: now - reading.ageMs, value: sign * reading.kw }, READING_MS),
  }
}

function stricter(before: StrictestLimit | undefined, limitedBy: StrictestLimit | undefined): Pick<Part, 'limitedBy'> {
  if (!limitedBy || (before && before.kw <= limitedBy.kw)) return before ? { limitedBy: before } : {}
  return { limitedBy }
}

/** A limit that was in force before the controller started counts from then on, with a gap. */
function beginningOf(limit: InForce['limit'], now: number): number {
  const from = Math.max(limit?.provenTo ?? now, quarterStart(now))
  return Math.min(from, now)
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

/** Gives loads their shares. One that switches has to wait for its minimum times. */
function withShares(
  before: RegulatorState,
  { loads, shares, mayRise }: { loads: readonly LoadSeen[]; shares: ReadonlyMap<string, number>; mayRise: boolean },
  now: number,
): RegulatorState {
  const states = new Map(before.loads)
  for (const load of loads) {
    const known = before.loads.get(load.id) ?? { atMostKw: Number.POSITIVE_INFINITY, since: now, relapses: -1 }
    const shareKw = shares.get(load.id) ?? known.atMostKw
    const atMostKw = mayRise ? shareKw : Math.min(shareKw, known.atMostKw)
    const least = load.kind === 'modulating' ? 0 : atMostKw === 0 ? load.minOnSeconds : load.minOffSeconds
    const isDue = known.atMostKw !== atMostKw && now - known.since >= least * 1000
    states.set(load.id, isDue ? { ...known, atMostKw, since: now } : known)
  }
  return { loads: states, above: 0 }
}
