import { givenTime, storable, time } from './fields.ts'
import { OutputTestResult } from './output-test.ts'
import { LimitInterval } from './power-limit.ts'
import {
  anyOf,
  boolean,
  described,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from './schema.ts'

/** Audit entries by code. Group and level are the same for all. */
export const REPORT_CODES = {
  4000: { name: 'OPTIMIZATION_PEAK_SHAVING', title: 'Peak shaving adjustment' },
  4001: { name: 'OPTIMIZATION_CLOUD_SCHEDULE', title: 'Cloud schedule adjustment' },
  4005: { name: 'OPTIMIZATION_DEMAND_RESPONSE', title: 'Demand response adjustment' },
} as const
export type ReportCode = keyof typeof REPORT_CODES
export const CODES = Object.keys(REPORT_CODES).map(Number) as readonly ReportCode[]

export const REPORT_GROUP = 'optimization'
export const REPORT_LEVEL = 'INFO'

/**
 * `applied` and `released` mark when a writer takes over a datapoint and when it releases it; every `applied` has its
 * `released`. In between, `write-failed` says that the equipment could not be reached or refused the value,
 * `not-taken` that it acknowledged the value and no reading shows it, `limited` that changed limits or a power limit changed
 * what is written. `interval` is about a meter: an interval of a power limit is over. `tested` says what was read in a test
 * of one output, which is an override of at most a minute.
 */
export const REPORT_PHASES = [
  'applied',
  'released',
  'write-failed',
  'not-taken',
  'limited',
  'interval',
  'tested',
] as const
export type ReportPhase = (typeof REPORT_PHASES)[number]

/**
 * `window`: it was its time. `restart`: it ended while the device was down. `replaced`: a new controller took it over from
 * the one before. `differs`: released, and the equipment shows neither the setpoint nor the value to restore.
 * `restored-by-hand`, `abandoned`: a person closed the hold.
 */
export const REPORT_REASONS = [
  'window',
  'cancelled',
  'ended',
  'superseded',
  'restart',
  'replaced',
  'differs',
  'restored-by-hand',
  'abandoned',
] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

/** A value in engineering units. A 64-bit reading beyond 2^53 is text of exact digits. */
export const ReportedValue = nullable(anyOf([number(), text()]))
export type ReportedValue = Static<typeof ReportedValue>

/** Who placed or cancelled an override, as far as the reader may know it. */
export const ReportCaller = object({
  id: described(nullable(text()), 'The API key, or `user:` and the id of a person; null when it is not for you'),
  name: described(nullable(text()), 'The name at that time; null when it is unknown or not for you'),
  reason: described(nullable(text()), 'Why, in their words; null when they gave no reason'),
})
export interface ReportCaller extends Static<typeof ReportCaller> {}

/** What equipment that ranks its sources by priority follows at a datapoint instead of this controller. */
export const SourceInCharge = object({
  priority: integer({ description: 'The priority that has the datapoint, as the equipment counts' }),
  value: described(ReportedValue, 'The value at that priority; null when it is not a number'),
  outranks: described(
    boolean(),
    'True when it has precedence over this controller; false when the equipment follows it because the controller holds nothing there',
  ),
})
export interface SourceInCharge extends Static<typeof SourceInCharge> {}

/** One audit entry: what a controller did to one datapoint. */
export const ReportEntry = object({
  id: text(),
  code: oneOf(CODES),
  name: text(),
  title: text(),
  group: text(),
  level: text(),
  at: time('When it happened, by the clock of the device'),
  deviceId: text(),
  technicalSystemId: text(),
  connectionId: text(),
  datapointId: text(),
  overrideId: nullable(text()),
  reqId: nullable(text()),
  phase: oneOf(REPORT_PHASES),
  reason: oneOf(REPORT_REASONS),
  valueBefore: described(ReportedValue, 'The value of the datapoint before this writer took over'),
  value: described(ReportedValue, 'The value written; null on a release where nothing was written'),
  readBack: described(ReportedValue, 'What the equipment returned right after; null when it was not read'),
  seq: integer({ description: 'Grows by one with every entry of a device' }),
  interval: optional(described(LimitInterval, 'Only in entries of the phase interval')),
  test: optional(described(OutputTestResult, 'Only in entries of the phase tested')),
  inCharge: optional(
    described(
      SourceInCharge,
      'What the equipment follows instead: in entries of the phase not-taken and released, where the equipment says it',
    ),
  ),
  placedBy: described(
    nullable(ReportCaller),
    'Who placed the override; null when that is unknown or not for you, and for other writers',
  ),
  cancelledBy: described(
    nullable(ReportCaller),
    'Who cancelled the override or closed the hold; null when nobody did, or when that is unknown or not for you',
  ),
})
export interface ReportEntry extends Static<typeof ReportEntry> {}

/** A caller in a signed entry, with the name at that time and the reason that they gave; each empty when unknown. */
export interface EntryCaller {
  id: string
  name: string
  reason: string
}

/**
 * An entry as the controller makes and signs it. Its JSON text, exactly as it was written, is what hashes and signatures
 * are about, so every program keeps the order of its fields.
 */
export interface ChainedEntry extends Omit<ReportEntry, 'placedBy' | 'cancelledBy'> {
  /** Who placed the override; null for other writers. */
  placedBy: EntryCaller | null
  /** Who cancelled the override or closed the hold. Only in entries that follow that; earlier versions never wrote it. */
  cancelledBy?: EntryCaller
  /** The SHA-256 of the text of the entry before, in hexadecimal digits; null on the first entry. */
  previous: string | null
}

/** A signature of the controller over the SHA-256 of an entry. It covers all earlier entries too, through the chain. */
export interface EntrySignature {
  /** The Ed25519 public key of the controller (SPKI) in Base64. */
  key: string
  /** In Base64. */
  signature: string
}

/** What a controller sends: entries in order, confirmed together by the `seq` of the last, which is signed. */
export interface ReportBatch {
  entries: readonly ChainedEntry[]
  /** Absent while the controller cannot store its key; a later signature covers these entries too. */
  signed?: EntrySignature
}

/** Which audit entries to list. */
export const ReportFilters = object({
  siteId: optional(storable('Only entries of devices of this site')),
  technicalSystemId: optional(storable('Only entries of this technical system')),
  datapointId: optional(storable('Only entries of this datapoint')),
  deviceId: optional(storable('Only entries of this device')),
  code: optional(oneOf(CODES, { description: 'Only entries of this code' })),
  from: optional(givenTime('Only entries at this time or later')),
  to: optional(givenTime('Only entries before this time')),
})
