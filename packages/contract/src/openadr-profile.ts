import { MAX_OPENADR_NAME, ON_SILENCE } from './openadr-mapping.ts'
import { DIRECTIONS } from './power-limit.ts'
import { array, boolean, closedObject, integer, number, oneOf, optional, record, type Static, text } from './schema.ts'

/** Versions of OpenADR by their API: 3.1 stands for 3.1.0 and 3.1.1. */
export const OPENADR_VERSIONS = ['3.0', '3.1'] as const
export type OpenadrVersion = (typeof OPENADR_VERSIONS)[number]

/**
 * What a payload of an event means:
 * - `setpoint`: a value for a datapoint.
 * - `level`: a number that the table of a mapping rule turns into a value.
 * - `limit`: a ceiling for the mean power of a site.
 * - `flexibility`: power to leave free; the ceiling is the newest payload `below` minus this value.
 * - `baseline`: the power from which a `flexibility` is subtracted.
 * - `price`: shown and charted.
 * - `information`: shown.
 */
export const PAYLOAD_MEANINGS = [
  'setpoint',
  'level',
  'limit',
  'flexibility',
  'baseline',
  'price',
  'information',
] as const
export type PayloadMeaning = (typeof PAYLOAD_MEANINGS)[number]

const payloadName = (description: string) => text({ minLength: 1, maxLength: MAX_OPENADR_NAME, description })

export const PayloadRule = closedObject({
  meaning: oneOf(PAYLOAD_MEANINGS),
  direction: optional(oneOf(DIRECTIONS, { description: 'Of a limit or a flexibility' })),
  unit: optional(payloadName('The unit when the event names none, for example KW')),
  minimum: optional(number({ description: 'A smaller value is refused' })),
  maximum: optional(number({ description: 'A greater value is refused' })),
  isWhole: optional(boolean({ description: 'A value with a fraction is refused' })),
  fallbackFor: optional(
    payloadName('Counts where no event has a value for that payload, with the rule of that payload'),
  ),
  below: optional(payloadName('The baseline of a flexibility')),
})
export interface PayloadRule extends Static<typeof PayloadRule> {}

/** What a report of one payload contains. */
const REPORT_CONTENTS = [
  'acknowledgement',
  'setpoint',
  'operating-state',
  'usage',
  'demand',
  'baseline',
  'data-quality',
  'delivered-flexibility',
  'operational-status',
] as const

export const ReportRule = closedObject({
  content: oneOf(REPORT_CONTENTS),
  unit: optional(payloadName('For example KW or KWH')),
  isAggregated: optional(boolean({ description: 'One entry AGGREGATED_REPORT for all resources' })),
  stepSeconds: optional(
    integer({ minimum: 60, maximum: 86_400, description: 'One value for each step of an interval, instead of one' }),
  ),
  decimals: optional(integer({ minimum: 0, maximum: 9 })),
  reportName: optional(payloadName('A name that the program requires')),
  isUnasked: optional(boolean({ description: 'Sent for every event, also when the event does not ask for it' })),
  isUndescribed: optional(
    boolean({
      description: 'Sent without a payload descriptor, where the program knows the unit and readers refuse it',
    }),
  ),
})
export interface ReportRule extends Static<typeof ReportRule> {}

/** What the payload names of a program mean, and what it wants to read. */
export const Profile = closedObject({
  name: payloadName('A short name, for example alliance-3.1'),
  title: text({ minLength: 1, maxLength: 200 }),
  versions: array(oneOf(OPENADR_VERSIONS), { minItems: 1, maxItems: OPENADR_VERSIONS.length }),
  payloads: record(PayloadRule),
  reports: record(ReportRule),
  onSilence: oneOf(ON_SILENCE, { description: 'When the mapping does not say' }),
  clockToleranceSeconds: integer({
    minimum: 1,
    maximum: 3600,
    description: 'A difference of the clocks above this is shown as a problem',
  }),
})
export interface Profile extends Static<typeof Profile> {}

export const SHIPPED_PROFILES = ['alliance-3.0', 'alliance-3.1', 'switch', 'nlflex-1.0'] as const
export type ShippedProfile = (typeof SHIPPED_PROFILES)[number]
