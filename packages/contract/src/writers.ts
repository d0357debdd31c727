/**
 * Everything that may write a datapoint, the highest precedence first, with its name for people and the code of its
 * audit entries. `deviation` is the contract's word for a schedule. `plain` holds nothing: the value from before.
 */
export const WRITERS = {
  'demand-response': { label: 'Demand response', auditCode: 4005 },
  'peak-shaving': { label: 'Peak shaving', auditCode: 4000 },
  deviation: { label: 'Schedule', auditCode: 4001 },
  plain: { label: 'Local control', auditCode: null },
} as const
export type Writer = keyof typeof WRITERS
/** A writer that can hold a datapoint. */
export type HoldingWriter = Exclude<Writer, 'plain'>

/** All writers, the highest precedence first. */
export const WRITER_NAMES = Object.keys(WRITERS) as readonly Writer[]
/** The writers that can hold, the highest precedence first. */
export const HOLDING_WRITERS = WRITER_NAMES.filter((name) => name !== 'plain')
