import { storable } from '@plantroom/contract/fields'
import { OPENADR_EVENT_STATES, OPENADR_REPORT_STATES } from '@plantroom/contract/openadr'
import { object, oneOf, optional } from '@plantroom/contract/schema'

const programId = optional(storable())

/** The filters in the address of the events. */
export const EVENT_FILTERS = object({ programId, state: optional(oneOf(OPENADR_EVENT_STATES)) })

/** The filters in the address of the reports. */
export const REPORT_FILTERS = object({ programId, state: optional(oneOf(OPENADR_REPORT_STATES)) })
