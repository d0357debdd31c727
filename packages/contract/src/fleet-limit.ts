import { givenTime, MAX_REASON, storable, time, timeOrNull } from './fields.ts'
import { DISPATCH_STATES, DispatchCounts, MAX_TARGETS, OUTCOMES, RELEASES } from './fleet.ts'
import { STORABLE } from './patterns.ts'
import {
  AVERAGING_SECONDS,
  DEFAULT_AVERAGING_SECONDS,
  DIRECTIONS,
  LIMIT_STATES,
  LimitInterval,
  MAX_LIMIT_KW,
  StrictestLimit,
} from './power-limit.ts'
import { ReportCaller } from './reports.ts'
import {
  array,
  boolean,
  defaulted,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from './schema.ts'
import { siteTag } from './site-tags.ts'

/** A power limit for one controller or many, as a caller sends it. */
export const LimitRequest = object({
  idempotencyKey: storable('Your own id of this limit: the same key with the same body is the same limit'),
  siteId: optional(storable('The site to limit. Send this, or deviceIds, or tags')),
  deviceIds: optional(
    array(storable(), { minItems: 1, maxItems: MAX_TARGETS, description: 'The controllers to limit' }),
  ),
  tags: optional(
    array(siteTag, { minItems: 1, maxItems: 100, description: 'Limit the sites that have one of these tags' }),
  ),
  direction: oneOf(DIRECTIONS, { description: 'What is limited: power from the grid, or power into it' }),
  kw: number({
    minimum: 0,
    maximum: MAX_LIMIT_KW,
    description: 'The limit in kW. Of several controllers it is the total, which is split among them',
  }),
  from: optional(givenTime('Start; immediately when missing or past')),
  to: givenTime('End; in the future, at most 24 hours after from'),
  averagingSeconds: defaulted(
    oneOf(AVERAGING_SECONDS, { description: '900: the mean of every quarter of an hour counts. 0: every reading' }),
    DEFAULT_AVERAGING_SECONDS,
  ),
  deadline: optional(
    givenTime(
      'Until when the service tries to reach controllers; at most `to`, and at most 24 hours ahead. When missing: as long as possible for one controller; of several, five minutes after the start, when the total is split again without those that are missing',
    ),
  ),
  reason: optional(
    text({
      minLength: 1,
      maxLength: MAX_REASON,
      pattern: STORABLE,
      description: 'Why, for people; kept with the limit',
    }),
  ),
})
export interface LimitRequest extends Static<typeof LimitRequest> {}

export const FleetLimit = object({
  id: text(),
  state: oneOf(DISPATCH_STATES, { description: 'running while a controller is pending' }),
  counts: DispatchCounts,
  releasing: integer({ description: 'Controllers that may hold what they must release, and have not yet released it' }),
  placedBy: object({ id: text(), name: text({ description: 'At that time' }) }),
  direction: oneOf(DIRECTIONS),
  kw: number({ description: 'As asked for: the total of all controllers' }),
  averagingSeconds: oneOf(AVERAGING_SECONDS),
  from: time(),
  to: time(),
  deadline: time(),
  reason: nullable(text()),
  createdAt: time(),
  endedAt: timeOrNull('When no controller was pending any more; null while running'),
})
export interface FleetLimit extends Static<typeof FleetLimit> {}

/** What became of a limit at one controller. */
export const LimitOutcome = object({
  deviceId: text(),
  siteId: text(),
  meterId: text({ description: 'The meter whose power is limited' }),
  deviceName: nullable(text(), { description: 'Null when the controller was removed' }),
  meterName: nullable(text(), { description: 'Null when the meter is no longer commissioned' }),
  kw: number({ description: 'The share of this controller' }),
  from: time(),
  to: time(),
  outcome: oneOf(OUTCOMES),
  isReplaced: boolean({ description: 'The total was split again: another outcome has the share that counts' }),
  isLost: boolean({
    description:
      'The controller had accepted its share, and lost it later: the outcome is refused. Never of one controller alone',
  }),
  limitId: nullable(text(), { description: 'The limit on the controller, where it is known' }),
  reqId: text({ description: 'Of the command' }),
  reason: nullable(text({ description: 'Why it is not accepted, for people' })),
  release: nullable(oneOf(RELEASES), {
    description: 'Only where the controller may hold it although it is not accepted, as of a dispatch',
  }),
  settledAt: timeOrNull('When the outcome was known'),
})
export interface LimitOutcome extends Static<typeof LimitOutcome> {}

/** One interval of a site under a limit: what a grid operator asks for. */
export const SiteLimitInterval = object({
  from: time(),
  to: time(),
  deviceId: text(),
  direction: oneOf(DIRECTIONS),
  limitKw: number(),
  meanKw: LimitInterval.properties.meanKw,
  marginKw: nullable(number(), { description: 'The limit minus the mean: below 0 above the limit' }),
  coverage: LimitInterval.properties.coverage,
  state: oneOf(LIMIT_STATES, { description: 'The last state within the interval' }),
  kept: nullable(boolean(), {
    description: 'Null when the interval is shorter than a minute, or too little of it was read, to say',
  }),
  moved: LimitInterval.properties.moved,
  source: LimitInterval.properties.source,
  limitedBy: nullable(StrictestLimit, {
    description:
      'The strictest of all limits that were in force in this interval: what the site had to keep. Its limitId is null when it is not for you. Null where a controller does not report it, and for the time that it was off',
  }),
  limitId: nullable(text(), {
    description:
      'The limit on the controller, as in its outcome; null when it is not for you. Limits that overlap have intervals of their own',
  }),
  placedBy: nullable(ReportCaller, { description: 'Who placed the limit; null when it is not for you' }),
})
export interface SiteLimitInterval extends Static<typeof SiteLimitInterval> {}
