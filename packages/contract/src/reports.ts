/** What a report is about, by its code. Group and level are the same for all. */
export const REPORT_CODES = {
  4000: { name: 'OPTIMIZATION_PEAK_SHAVING', title: 'Peak shaving adjustment' },
  4001: { name: 'OPTIMIZATION_CLOUD_SCHEDULE', title: 'Cloud schedule adjustment' },
  4005: { name: 'OPTIMIZATION_DEMAND_RESPONSE', title: 'Demand response adjustment' },
} as const
export type ReportCode = keyof typeof REPORT_CODES

export const REPORT_GROUP = 'optimization'
export const REPORT_LEVEL = 'INFO'

/**
 * `applied` and `released` mark when a writer took a datapoint over and when it let go; every `applied` has its
 * `released`. In between, `write-failed` says that the equipment could not be reached or refused the value,
 * `not-taken` that it acknowledged the value and did not keep it.
 */
export const REPORT_PHASES = ['applied', 'released', 'write-failed', 'not-taken'] as const
export type ReportPhase = (typeof REPORT_PHASES)[number]

/** `window`: it was its time. `restart`: it ended while the device was down. */
export const REPORT_REASONS = ['window', 'cancelled', 'ended', 'superseded', 'restart'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

/** A value in engineering units. A 64-bit reading beyond 2^53 is text of exact digits. */
export type ReportedValue = number | string | null

/** One entry of the audit: what a device did to one datapoint. */
export interface ReportEntry {
  id: string
  code: ReportCode
  name: string
  title: string
  group: string
  level: string
  /** When it happened, by the device's clock. */
  at: string
  deviceId: string
  technicalSystemId: string
  connectionId: string
  datapointId: string
  overrideId: string | null
  reqId: string | null
  phase: ReportPhase
  reason: ReportReason
  /** What the datapoint was at before this writer took over. */
  valueBefore: ReportedValue
  /** What the datapoint was given; `null` on a release where nobody knows what was there before: nothing was written. */
  value: ReportedValue
  /** What the equipment said right after; `null` when it was not asked or did not say. */
  readBack: ReportedValue
  /** Grows by one with every entry of a device. */
  seq: number
}

/** What a device sends: entries in order, confirmed together by the `seq` of the last. */
export interface ReportBatch {
  entries: readonly ReportEntry[]
}
