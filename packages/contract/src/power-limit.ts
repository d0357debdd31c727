import { time } from './fields.ts'
import { array, integer, nullable, number, object, oneOf, optional, type Static, text } from './schema.ts'

export const DIRECTIONS = ['import', 'export'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** A limit counts for every reading (0), or for the mean of every aligned quarter of an hour. */
export const AVERAGING_SECONDS = [0, 900] as const
export type AveragingSeconds = (typeof AVERAGING_SECONDS)[number]
export const DEFAULT_AVERAGING_SECONDS = 900

/** A limit above this is a mistake in the unit. */
export const MAX_LIMIT_KW = 1_000_000

/**
 * - `unlimited`: no limit is in force.
 * - `limited`: the regulator keeps the site within the limit.
 * - `fallback`: the meter cannot be trusted, so the fallback of the commissioning file counts, and loads are moved for it.
 * - `exhausted`: everything that may be moved is moved, and the site is still above the limit.
 */
export const LIMIT_STATES = ['unlimited', 'limited', 'fallback', 'exhausted'] as const
export type LimitState = (typeof LIMIT_STATES)[number]

/** A power limit that a controller holds and that has not ended. */
export const PlacedLimit = object({
  id: text(),
  direction: oneOf(DIRECTIONS),
  kw: number(),
  from: time(),
  to: time(),
  averagingSeconds: oneOf(AVERAGING_SECONDS),
  reqId: text(),
  /** The caller: the id of a key, or `user:` and that of a person. */
  placedBy: text(),
  state: oneOf(['queued', 'active']),
})
export interface PlacedLimit extends Static<typeof PlacedLimit> {}

/** What a power limit last did to a load, as a controller remembers it for its next start. */
export const MovedLoad = object({
  /** `null` when the load is free and only its minimum time counts. */
  atMostKw: nullable(number()),
  since: number({ description: 'Milliseconds since 1970' }),
  relapses: integer(),
  /** The same for a limit of the export. Absent when there is none. */
  atMostExportKw: optional(nullable(number())),
})
export interface MovedLoad extends Static<typeof MovedLoad> {}

/** What a limit does to a load at present. */
export const LimitedLoad = object({
  datapointId: text(),
  /** The range that it may be in, in kW; a stopped load may draw 0. */
  atMostKw: optional(number()),
  atLeastKw: optional(number()),
})
export interface LimitedLoad extends Static<typeof LimitedLoad> {}

/**
 * Why the charge of a load is not used, so that a limit is kept as if it were not known:
 * - `unreadable`: it cannot be read.
 * - `old`: it was not read for a quarter of an hour.
 * - `implausible`: it is no percentage.
 * - `frozen`: it stays the same, although the load has supplied or drawn a tenth of its capacity since.
 */
export const CHARGE_TROUBLES = ['unreadable', 'old', 'implausible', 'frozen'] as const
export type ChargeTrouble = (typeof CHARGE_TROUBLES)[number]

/** What a load stores at present, as a limit plans with it. */
export const StoredLoad = object({
  datapointId: text(),
  chargePercent: nullable(number()),
  /** The energy that it can still supply, and take up; `null` while its charge is not used. */
  supplyKwh: nullable(number()),
  drawKwh: nullable(number()),
  trouble: nullable(oneOf(CHARGE_TROUBLES)),
})
export interface StoredLoad extends Static<typeof StoredLoad> {}

/** What a controller does about power limits. */
export const PowerLimitState = object({
  meterId: text(),
  state: oneOf(LIMIT_STATES),
  /** The strictest limits in force. */
  importKw: nullable(number()),
  exportKw: nullable(number()),
  /** The reading that counts; `null` when it cannot be trusted. Import is positive. */
  meterKw: nullable(number()),
  /** The mean of this quarter of an hour so far; `null` when nothing was read in it. Import is positive. */
  meanKw: nullable(number()),
  limits: array(PlacedLimit),
  moved: array(LimitedLoad),
  /** The loads whose charge is commissioned. Absent when there are none. */
  stored: optional(array(StoredLoad)),
})
export interface PowerLimitState extends Static<typeof PowerLimitState> {}

/**
 * - `placed`: a limit that a caller placed.
 * - `commissioned`: the limit of peak shaving at the same meter.
 * - `contact`: a contact of a receiver or control box.
 * - `fallback`: the fallback until a source has spoken.
 */
const LIMIT_SOURCES = ['placed', 'commissioned', 'contact', 'fallback'] as const

/** The strictest of all limits that were in force in an interval. */
export const StrictestLimit = object({
  source: oneOf(LIMIT_SOURCES),
  kw: number(),
  limitId: nullable(text(), { description: 'The placed limit on the controller; null for another source' }),
})
export interface StrictestLimit extends Static<typeof StrictestLimit> {}

/** One interval of a limit that is over, as a controller reports it in its audit. */
export const LimitInterval = object({
  from: time(),
  to: time(),
  direction: oneOf(DIRECTIONS),
  limitKw: number(),
  meanKw: nullable(number(), {
    description: 'In the direction of the limit: power into the grid is positive for an export',
  }),
  coverage: integer({ minimum: 0, maximum: 100, description: 'How much of the interval was read, in percent' }),
  state: oneOf(LIMIT_STATES, { description: 'The last state within the interval' }),
  moved: array(text(), { description: 'The datapoints that were moved' }),
  source: optional(
    oneOf(['contact', 'fallback'], {
      description: 'Where a limit comes from that nobody placed: a contact, or the fallback until a source has spoken',
    }),
  ),
  limitedBy: optional(StrictestLimit),
})
export interface LimitInterval extends Static<typeof LimitInterval> {}

/** Loads and meter need some of an interval to react: a shorter one says nothing about a limit. */
export const SHORTEST_INTERVAL_MS = 60_000
const MIN_COVERAGE = 50

type Judged = Pick<LimitInterval, 'from' | 'to' | 'limitKw' | 'meanKw' | 'coverage'>

/** Reports whether an interval kept its limit; `undefined` when it is too short, or too little of it was read, to say. */
export function isKept({ from, to, limitKw, meanKw, coverage }: Judged) {
  const isShort = Date.parse(to) - Date.parse(from) < SHORTEST_INTERVAL_MS
  return isShort || meanKw === null || coverage < MIN_COVERAGE ? undefined : meanKw <= limitKw
}

/** Returns how far an interval was below its limit, to the watt: below 0 above the limit, `null` when nothing was read. */
export const marginOf = ({ limitKw, meanKw }: Pick<LimitInterval, 'limitKw' | 'meanKw'>) =>
  meanKw === null ? null : Number((limitKw - meanKw).toFixed(3))
