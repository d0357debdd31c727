import { givenTime, MAX_REASON, storable, time, timeOrNull } from './fields.ts'
import { STORABLE, TAG } from './patterns.ts'
import { array, closedObject, integer, nullable, number, object, oneOf, optional, type Static, text } from './schema.ts'

/** The most datapoints that one fleet dispatch reaches. */
export const MAX_TARGETS = 10_000
const MAX_TAGS = 100
const DAY_SECONDS = 86_400

/** What became of one target. `pending` changes once; `accepted` changes to `cancelled` when the dispatch is cancelled. */
export const OUTCOMES = ['pending', 'accepted', 'refused', 'offline', 'expired', 'cancelled'] as const
export type Outcome = (typeof OUTCOMES)[number]

export const DISPATCH_STATES = ['running', 'completed', 'cancelled'] as const
export type DispatchState = (typeof DISPATCH_STATES)[number]

/** Whether a controller still has to release what it may hold of a target that is not accepted. */
export const RELEASES = ['pending', 'confirmed', 'unconfirmed'] as const
export type Release = (typeof RELEASES)[number]

const ids = (description: string) =>
  optional(array(storable(), { minItems: 1, maxItems: MAX_TARGETS, description: `${description}; any of them` }))

/** Which datapoints a dispatch reaches. The parts narrow each other. A misspelt part would widen it: it is refused. */
const Selector = closedObject({
  deviceIds: ids('Datapoints of these controllers'),
  siteIds: ids('Datapoints of controllers on these sites'),
  tags: optional(
    array(text({ maxLength: 100, pattern: TAG }), {
      minItems: 1,
      maxItems: MAX_TAGS,
      description: 'Datapoints with one of these tags, for example battery.charge-power',
    }),
  ),
  datapointIds: ids('These datapoints'),
})
export interface Selector extends Static<typeof Selector> {}

/** One setpoint for many controllers, as a caller sends it. */
export const DispatchRequest = object({
  idempotencyKey: storable('Your own id of this dispatch: the same key with the same body is the same dispatch'),
  select: Selector,
  value: optional(number({ description: 'The value of every datapoint, in its engineering units' })),
  totalKw: optional(
    number({
      description: 'Instead of value: a total that is split by commissioned capacity; a whole number of watts',
    }),
  ),
  from: optional(givenTime('Start; immediately when missing or past')),
  to: givenTime('End; in the future, at most 24 hours after from'),
  deadline: givenTime('Until when the service tries to reach controllers; at most `to`, and at most 24 hours ahead'),
  staggerSeconds: optional(
    integer({
      minimum: 0,
      maximum: DAY_SECONDS,
      description: 'Spreads the starts evenly over this time; 0 when missing',
    }),
  ),
  reason: optional(
    text({
      minLength: 1,
      maxLength: MAX_REASON,
      pattern: STORABLE,
      description: 'Why, for people; kept with each override',
    }),
  ),
})
export interface DispatchRequest extends Static<typeof DispatchRequest> {}

const count = (description: string) => integer({ description })
export const DispatchCounts = object({
  accepted: count('The controller has placed the override'),
  refused: count('The controller refused it; reason says why'),
  offline: count('The controller was not reached by the deadline'),
  expired: count('It was sent, and no answer came by the deadline'),
  pending: count('The service is still trying'),
  cancelled: count('The dispatch was cancelled first'),
})
export interface DispatchCounts extends Static<typeof DispatchCounts> {}

export const FleetDispatch = object({
  id: text(),
  state: oneOf(DISPATCH_STATES, { description: 'running while a target is pending' }),
  counts: DispatchCounts,
  releasing: integer({
    description:
      'Targets, not accepted, that a controller may hold and has not yet released. 0 when nothing is left to do',
  }),
  placedBy: object({ id: text(), name: text({ description: 'At that time' }) }),
  value: nullable(number()),
  totalKw: nullable(number()),
  from: time(),
  to: time(),
  deadline: time(),
  staggerSeconds: integer(),
  reason: nullable(text()),
  createdAt: time(),
  endedAt: timeOrNull('When no target was pending any more; null while running'),
})
export interface FleetDispatch extends Static<typeof FleetDispatch> {}

export const DispatchOutcome = object({
  deviceId: text(),
  siteId: text(),
  datapointId: text(),
  deviceName: nullable(text(), { description: 'Null when the controller was removed' }),
  datapointName: nullable(text(), { description: 'Null when the datapoint is no longer commissioned' }),
  unit: nullable(text(), { description: 'Of the value, where it is commissioned' }),
  value: number({ description: 'In the engineering units of the datapoint' }),
  from: time(),
  to: time(),
  outcome: oneOf(OUTCOMES),
  overrideId: nullable(text(), { description: 'The override on the controller, where it is known' }),
  reqId: text({ description: 'Of the command, as audit entries name it' }),
  reason: nullable(text({ description: 'Why it is not accepted, for people' })),
  release: nullable(oneOf(RELEASES), {
    description:
      'Only where the controller may hold it although it is not accepted. pending: the service asks it to release until it confirms. unconfirmed: the window ended first',
  }),
  settledAt: timeOrNull('When the outcome was known'),
})
export interface DispatchOutcome extends Static<typeof DispatchOutcome> {}

/** What the streams of fleet dispatches and power limits send. */
export const PROGRESS_EVENTS =
  'Events `progress` hold {"id", "state", "counts", "releasing"}, at most two per second; the last event is named `ended`'
