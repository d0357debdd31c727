import { storable } from './fields.ts'
import { AVERAGING_SECONDS, DIRECTIONS, MAX_LIMIT_KW } from './power-limit.ts'
import {
  anyOf,
  array,
  closedObject,
  defaulted,
  integer,
  number,
  oneOf,
  optional,
  record,
  type Static,
  text,
} from './schema.ts'

/** What to do with a value that the datapoint does not take: write the nearest one, or leave the event unfollowed. */
export const OUTSIDE_ENVELOPE = ['clamp', 'refuse'] as const
export type OutsideEnvelope = (typeof OUTSIDE_ENVELOPE)[number]

/**
 * What to do when the VTN has been silent for too long:
 * - `keep`: follow what is known to its end.
 * - `fallback`: apply the `fallback` of each rule that has one; follow what is known with the others.
 * - `release`: release everything.
 */
export const ON_SILENCE = ['keep', 'fallback', 'release'] as const
export type OnSilence = (typeof ON_SILENCE)[number]

/** The longest name of a payload, a resource or a target in OpenADR 3. */
export const MAX_OPENADR_NAME = 128
const name = (description: string) => text({ minLength: 1, maxLength: MAX_OPENADR_NAME, description })

export const MAX_MAPPED_RESOURCES = 500
export const MAX_RULES = 50
export const DEFAULT_SILENCE_SECONDS = 3600

/** What a payload of a resource does: sets a datapoint, or places a power limit. */
export const MappingRule = closedObject({
  payload: name('The payload, for example DISPATCH_SETPOINT'),
  datapointId: optional(storable('The datapoint to set. Send this or limit')),
  outsideEnvelope: optional(
    oneOf(OUTSIDE_ENVELOPE, { description: 'For a value that the datapoint does not take; refuse when missing' }),
  ),
  table: optional(
    record(anyOf([number(), oneOf(['release'])]), {
      description: 'The value for each level of the payload, or release: the datapoint is not held',
    }),
  ),
  factor: optional(number({ description: 'Multiplies the value of the payload; 1 when missing' })),
  limit: optional(
    closedObject({
      siteId: storable('The site whose power is limited'),
      direction: oneOf(DIRECTIONS),
      averagingSeconds: oneOf(AVERAGING_SECONDS),
    }),
  ),
  fallback: optional(
    number({
      minimum: -MAX_LIMIT_KW,
      maximum: MAX_LIMIT_KW,
      description: 'The value, or the limit in kW, when the VTN is silent and onSilence is fallback',
    }),
  ),
})
export interface MappingRule extends Static<typeof MappingRule> {}

export const MappedResource = closedObject({
  resourceName: name('The name of the resource at the VTN'),
  targets: optional(
    array(name('A target'), {
      maxItems: 50,
      description: 'Further targets of events for this resource, for example the name of its group',
    }),
  ),
  rules: array(MappingRule, { minItems: 1, maxItems: MAX_RULES }),
})
export interface MappedResource extends Static<typeof MappedResource> {}

/** What the events of a program do in an organization's buildings. */
export const Mapping = closedObject({
  resources: array(MappedResource, { maxItems: MAX_MAPPED_RESOURCES }),
  onSilence: optional(oneOf(ON_SILENCE, { description: 'When missing: as the profile says' })),
  silenceSeconds: defaulted(
    integer({ minimum: 60, maximum: 7 * 86_400, description: 'When the VTN counts as silent' }),
    DEFAULT_SILENCE_SECONDS,
  ),
})
export interface Mapping extends Static<typeof Mapping> {}
