import { MAX_REASON, name, storable, time, timeOrNull } from './fields.ts'
import { DispatchOutcome, OUTCOMES, RELEASES } from './fleet.ts'
import { MAX_MAPPED_RESOURCES, MappedResource, Mapping } from './openadr-mapping.ts'
import { OPENADR_VERSIONS, Profile, SHIPPED_PROFILES } from './openadr-profile.ts'
import { STORABLE } from './patterns.ts'
import { DIRECTIONS } from './power-limit.ts'
import {
  array,
  boolean,
  closedObject,
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

/** Of an organization. */
export const MAX_OPENADR_PROGRAMS = 20
/** Of one program. */
export const MAX_CHECKS_PER_HOUR = 60

/** The profiles that are shipped, and a profile of the organization. `docs/how-to/connect-openadr.md` describes them. */
export const OPENADR_PROFILES = [...SHIPPED_PROFILES, 'own'] as const
export type OpenadrProfileName = (typeof OPENADR_PROFILES)[number]

const text255 = (description: string) => text({ minLength: 1, maxLength: 255, pattern: STORABLE, description })

/** A resource of a mapping, with what its reports are made from. */
export const OpenadrResource = closedObject({
  ...MappedResource.properties,
  powerDatapointId: optional(storable('The datapoint whose archived power, in kW, its reports are made from')),
  energyDatapointId: optional(
    storable('The counter, in kWh, that reports of energy are made from; power when missing'),
  ),
})
export interface OpenadrResource extends Static<typeof OpenadrResource> {}

/** Which payloads for which resources do what. */
export const OpenadrMapping = closedObject({
  ...Mapping.properties,
  resources: array(OpenadrResource, { maxItems: MAX_MAPPED_RESOURCES }),
})
export interface OpenadrMapping extends Static<typeof OpenadrMapping> {}

const address = (description: string) => text({ minLength: 1, maxLength: 2000, pattern: STORABLE, description })

/** What an administrator says about a program, beside its secret. */
const fields = {
  name,
  vtnUrl: address('The base address of the VTN, with its path, for example https://vtn.example.com/openadr3/3.1.0'),
  version: oneOf(OPENADR_VERSIONS),
  profile: oneOf(OPENADR_PROFILES, { description: 'What the payloads mean, and which reports are expected' }),
  ownProfile: nullable(Profile, { description: 'Of the profile own; null for the others' }),
  tokenUrl: nullable(address('Where access tokens are issued'), {
    description: 'Null: the VTN says where (/auth/server), or issues them itself',
  }),
  scope: nullable(text255('OAuth2 scope'), { description: 'Null: none is sent' }),
  audience: nullable(text255('OAuth2 audience'), { description: 'Null: none is sent' }),
  clientId: text255('Of the client that the operator of the VTN registered for you'),
  programNames: array(text255('The name of a program at the VTN'), {
    maxItems: 50,
    uniqueItems: true,
    description: 'The programs at the VTN whose events count; empty for all that it shows you',
  }),
  venName: text255('The name under which this organization is registered at the VTN'),
  pollSeconds: integer({ minimum: 10, maximum: 3600, description: 'How often the VTN is asked for events' }),
  mapping: OpenadrMapping,
  active: boolean({ description: 'False: the VTN is not asked, and everything that was placed is released' }),
}
const clientSecret = text({
  minLength: 1,
  maxLength: 1000,
  pattern: STORABLE,
  description: 'Never returned. It stays while vtnUrl, tokenUrl and clientId stay; send it again with a change of them',
})

/** A program as a caller adds it. */
export const GivenOpenadrProgram = object({
  ...fields,
  ownProfile: defaulted(fields.ownProfile, null),
  tokenUrl: defaulted(fields.tokenUrl, null),
  scope: defaulted(fields.scope, null),
  audience: defaulted(fields.audience, null),
  programNames: defaulted(fields.programNames, []),
  pollSeconds: defaulted(fields.pollSeconds, 60),
  active: defaulted(fields.active, true),
  clientSecret,
})
export interface GivenOpenadrProgram extends Static<typeof GivenOpenadrProgram> {}

/** What can be changed about a program. */
export const openadrChanges = { ...fields, clientSecret }

/**
 * - `new`: the VTN has not been asked yet.
 * - `connected`: the last poll succeeded.
 * - `failing`: the last poll failed; `problem` says why, and `failingSince` since when.
 * - `paused`: it is not active.
 */
export const OPENADR_PROGRAM_STATES = ['new', 'connected', 'failing', 'paused'] as const
export type OpenadrProgramState = (typeof OPENADR_PROGRAM_STATES)[number]

export const OPENADR_CHECK_STEPS = [
  'address',
  'token',
  'programs',
  'ven',
  'resources',
  'events',
  'reports',
  'notifications',
  'clock',
] as const
export type OpenadrCheckStep = (typeof OPENADR_CHECK_STEPS)[number]

/** What a check of a connection found, step by step. A step after one that failed is `skipped`. */
export const OpenadrCheck = object({
  at: time(),
  ok: boolean({ description: 'No step failed' }),
  steps: array(
    object({
      step: oneOf(OPENADR_CHECK_STEPS),
      state: oneOf(['ok', 'warning', 'failed', 'skipped']),
      message: text({ description: 'What was found, for people' }),
      ask: nullable(text(), { description: 'What to ask the operator of the VTN, or to change' }),
    }),
  ),
})
export interface OpenadrCheck extends Static<typeof OpenadrCheck> {}

export const OpenadrProgram = object({
  id: text(),
  ...fields,
  siteIds: array(text(), { description: 'The sites that its mapping names' }),
  state: oneOf(OPENADR_PROGRAM_STATES),
  problem: nullable(text(), { description: 'What is wrong and what to do; null when nothing is known to be' }),
  failingSince: timeOrNull('Since when no poll succeeded; null while they do'),
  polledAt: timeOrNull('When the VTN last answered with its events'),
  nextPollAt: timeOrNull('Null while it is paused'),
  missingPrograms: array(text(), { description: 'Names of programNames that the VTN does not show' }),
  missingDatapoints: array(text(), {
    description: 'Datapoints and sites of the mapping that no longer exist or cannot be controlled',
  }),
  clockOffsetMs: nullable(integer(), {
    description: 'How far the clock of the VTN is ahead of that of the service; null when it does not say',
  }),
  notifications: nullable(oneOf(['webhook', 'mqtt']), {
    description: 'How the VTN announces changes; null: it is only polled',
  }),
  notificationProblem: nullable(text(), {
    description: 'Why the VTN is only polled although it has webhooks; null when it announces changes, or has none',
  }),
  counts: object({
    events: integer({ description: 'That are active or to come' }),
    placed: integer({ description: 'Setpoints and limits in force or queued on controllers' }),
    refused: integer({ description: 'Of these events: what could not be placed' }),
    reportsDue: integer({ description: 'Reports that should have been sent' }),
    reportsRefused: integer({ description: 'Reports of the last 24 hours that the VTN refused' }),
  }),
  lastCheck: nullable(OpenadrCheck),
  createdAt: time(),
})
export interface OpenadrProgram extends Static<typeof OpenadrProgram> {}

export const OPENADR_EVENT_STATES = ['upcoming', 'active', 'ended', 'deleted'] as const
export type OpenadrEventState = (typeof OPENADR_EVENT_STATES)[number]

/**
 * - `placing`: on its way to the controllers.
 * - `queued`, `active`: every controller has it, for later or now.
 * - `ended`: its time is over.
 * - `released`: it ended early, because the event changed or was deleted.
 * - `refused`: a controller or the service refused it; `reason` says why.
 * - `offline`: a controller was not reached in time.
 */
export const PLACEMENT_STATES = ['placing', 'queued', 'active', 'ended', 'released', 'refused', 'offline'] as const
export type PlacementState = (typeof PLACEMENT_STATES)[number]

/** What became of one interval of an event, by one rule of the mapping. */
export const OpenadrPlacement = object({
  id: text(),
  resourceName: text(),
  payload: text(),
  kind: oneOf(['setpoint', 'limit']),
  siteId: nullable(text()),
  datapointId: nullable(text(), { description: 'Of a setpoint' }),
  direction: nullable(oneOf(DIRECTIONS), { description: 'Of a limit' }),
  value: number({ description: 'The setpoint, or the limit in kW' }),
  from: time(),
  to: time(),
  state: oneOf(PLACEMENT_STATES),
  reason: nullable(text(), { description: 'Why it is not placed, for people' }),
  dispatchId: nullable(text(), { description: 'The fleet dispatch or power limit that it is' }),
  outcomes: array(
    object({
      deviceId: text(),
      deviceName: nullable(text()),
      datapointId: text({ description: 'Of a limit, the meter' }),
      datapointName: nullable(text()),
      unit: DispatchOutcome.properties.unit,
      value: number(),
      outcome: oneOf(OUTCOMES),
      overrideId: nullable(text(), { description: 'The override or limit on the controller' }),
      reason: nullable(text()),
      release: nullable(oneOf(RELEASES)),
    }),
  ),
})
export interface OpenadrPlacement extends Static<typeof OpenadrPlacement> {}

/** What people at a site say when they take resources out of an event. Without names: all that it is for. */
export const GivenOptOut = object({
  reason: text({ minLength: 1, maxLength: MAX_REASON, pattern: STORABLE, description: 'Why, for people' }),
  resourceNames: optional(
    array(text255('A resource of the event'), { minItems: 1, maxItems: MAX_MAPPED_RESOURCES, uniqueItems: true }),
  ),
  siteId: optional(storable('Only the resources with equipment at this site')),
})
export interface GivenOptOut extends Static<typeof GivenOptOut> {}

/** A resource that people took out of an event: nothing of the event is placed for it. */
export const OpenadrOptOut = object({
  id: text(),
  resourceName: text(),
  reason: text(),
  by: text({ description: 'Who opted out' }),
  at: time(),
})
export interface OpenadrOptOut extends Static<typeof OpenadrOptOut> {}

/** An event of a VTN, and what became of it. */
export const OpenadrEvent = object({
  id: text({ description: 'Of this service' }),
  programId: text({ description: 'Of this service' }),
  programName: text(),
  eventId: text({ description: 'At the VTN' }),
  eventName: nullable(text()),
  priority: nullable(integer(), { description: '0 is the highest; null is the lowest' }),
  state: oneOf(OPENADR_EVENT_STATES),
  from: timeOrNull('Null when the event has no time'),
  to: timeOrNull('Null when it has no end'),
  firstSeenAt: time(),
  changedAt: time('When its content last changed, as this service saw it'),
  deletedAt: timeOrNull('When the VTN no longer had it'),
  resources: array(text(), { description: 'The resources of the mapping that it is for' }),
  intervals: array(
    object({
      from: timeOrNull(),
      to: timeOrNull(),
      payloads: array(
        object({
          type: text(),
          unit: nullable(text({ description: 'For example KW, or EUR/kWh of a price' })),
          values: array(text()),
        }),
      ),
    }),
    { description: 'The first 200, with prices' },
  ),
  problems: array(text(), {
    description:
      'What is not acted on, and why: unknown payloads, what no rule maps. Prices and information are no problem',
  }),
  placements: array(OpenadrPlacement, { description: 'The first 200, in order of time' }),
  optOuts: array(OpenadrOptOut, { description: 'Those in force' }),
})
export interface OpenadrEvent extends Static<typeof OpenadrEvent> {}

export const OPENADR_REPORT_STATES = ['waiting', 'sent', 'refused'] as const
export type OpenadrReportState = (typeof OPENADR_REPORT_STATES)[number]

/** A report to a VTN: sent, due, or refused by it. */
export const OpenadrReport = object({
  id: text(),
  programId: text({ description: 'Of this service' }),
  programName: text(),
  eventId: nullable(text(), { description: 'At the VTN' }),
  eventName: nullable(text()),
  payloads: array(text(), { description: 'The types of its payloads, for example POWER_LIMIT_ACKNOWLEDGEMENT' }),
  resources: array(text()),
  from: timeOrNull('The beginning of the time that it is about'),
  to: timeOrNull(),
  dueAt: time(),
  state: oneOf(OPENADR_REPORT_STATES),
  attempts: integer(),
  sentAt: timeOrNull('When the VTN had it'),
  nextAttemptAt: timeOrNull('Null when it is over'),
  status: nullable(integer(), { description: 'The HTTP status of the last answer' }),
  answer: nullable(text(), { description: 'The words of the VTN, where it refused' }),
  error: nullable(text(), { description: 'Why the last attempt failed' }),
})
export interface OpenadrReport extends Static<typeof OpenadrReport> {}
