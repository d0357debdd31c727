import { time, timeOrNull } from './fields.ts'
import { PERSON_EMAIL, STORABLE } from './patterns.ts'
import { anyObject, array, boolean, integer, nullable, object, oneOf, type Static, text } from './schema.ts'

/** What the service watches for. The console and mails have a sentence for each. */
export const ALERT_KINDS = [
  'controller-offline',
  'connection-lost',
  'setpoint-not-taken',
  'not-restored',
  'limit-not-kept',
  'openadr-unreachable',
  'openadr-refused',
  'clock-wrong',
  'import-failed',
  'export-failed',
  'disk-low',
  'disk-failed',
  'memory-lost',
  'file-rolled-back',
  'telemetry-gap',
] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

export const ALERT_SUBJECTS = [
  'device',
  'connection',
  'datapoint',
  'job',
  'automatic-export',
  'openadr-program',
] as const

/**
 * Why an `export-failed` opened, as `cause` in its details, beside the `reason` for people. `missed`: no worker ran at its
 * time. `stopped`: the key that set it has ended. `failed`: a run failed for good. `late`: a run could not start for hours.
 * `queued`: a run has waited for hours for a free worker.
 */
export type ExportTroubleCause = 'missed' | 'stopped' | 'failed' | 'late' | 'queued'

const trouble = {
  kind: oneOf(ALERT_KINDS),
  siteId: text(),
  deviceId: nullable(text(), { description: 'Null for a job and an automatic export' }),
  deviceName: nullable(text({ description: 'At that time' })),
  subject: object(
    { kind: oneOf(ALERT_SUBJECTS), id: text(), name: text({ description: 'At that time' }) },
    { description: 'Of an automatic export, the id is that of its site, and the name that of the targets' },
  ),
  details: anyObject({ description: 'What else is known, by name' }),
  beganAt: time('When the trouble began'),
} as const

/** Something that is or was wrong, with a beginning and an end. */
export const Alert = object({
  id: text(),
  ...trouble,
  openedAt: time('When it had lasted for the delay of the rule, and mail and webhooks were sent'),
  closedAt: timeOrNull('When it was over; null while it is open'),
  acknowledgedAt: timeOrNull('When a person acknowledged it'),
  acknowledgedBy: nullable(text()),
  assignee: nullable(text(), { description: 'The email of the member who works on it' }),
  snoozedUntil: timeOrNull('Until when people do not want to see it among the open ones'),
  requestNumber: nullable(integer(), { description: 'The maintenance request that was made of it' }),
})
export interface Alert extends Static<typeof Alert> {}

/** What an alert says that no person has worked on. */
export const NOT_WORKED_ON = {
  acknowledgedAt: null,
  acknowledgedBy: null,
  assignee: null,
  snoozedUntil: null,
  requestNumber: null,
} as const

/** What people do about an alert. */
export const ALERT_STEPS = [
  'acknowledged',
  'reopened',
  'assigned',
  'unassigned',
  'snoozed',
  'awoken',
  'noted',
  'request-made',
] as const

export const AlertStep = object({
  at: time(),
  by: text({ description: 'The name of who did it, at that time' }),
  step: oneOf(ALERT_STEPS),
  text: nullable(text(), {
    description: 'The note, the assignee, the end of the snooze, or the number of the request',
  }),
})
export interface AlertStep extends Static<typeof AlertStep> {}

export const MAX_ALERT_NOTE = 2_000

/** Something that is wrong and opens an alert if it lasts. */
export const BecomingAlert = object({
  ...trouble,
  opensAt: time('When it opens an alert, if it lasts'),
})
export interface BecomingAlert extends Static<typeof BecomingAlert> {}

const DAY_S = 86_400

/** When one kind of alert opens and closes. */
const Rule = object({
  enabled: boolean(),
  openAfterSeconds: integer({ minimum: 0, maximum: DAY_S, description: 'How long the trouble must last' }),
  closeAfterSeconds: integer({ minimum: 0, maximum: DAY_S, description: 'How long it must be over' }),
})
export interface AlertRule extends Static<typeof Rule> {}

const rulesByKind = object({
  'controller-offline': Rule,
  'connection-lost': Rule,
  'setpoint-not-taken': Rule,
  'not-restored': Rule,
  'limit-not-kept': Rule,
  'openadr-unreachable': Rule,
  'openadr-refused': Rule,
  'clock-wrong': Rule,
  'import-failed': Rule,
  'export-failed': Rule,
  'disk-low': Rule,
  'disk-failed': Rule,
  'memory-lost': Rule,
  'file-rolled-back': Rule,
  'telemetry-gap': Rule,
} satisfies Readonly<Record<AlertKind, typeof Rule>>)

export const MAX_RECIPIENTS = 20

export const AlertRules = object({
  rules: rulesByKind,
  recipients: nullable(
    array(
      object({
        email: text({ maxLength: 255, pattern: PERSON_EMAIL }),
        siteIds: nullable(array(text({ maxLength: 255, pattern: STORABLE }), { uniqueItems: true, maxItems: 1000 }), {
          description: 'Only alerts of these sites; null for all',
        }),
      }),
      { maxItems: MAX_RECIPIENTS },
    ),
    { description: 'Who gets mail; null for all administrators of the organization' },
  ),
})
export interface AlertRules extends Static<typeof AlertRules> {}

const rule = (openAfterSeconds: number, closeAfterSeconds: number): AlertRule => ({
  enabled: true,
  openAfterSeconds,
  closeAfterSeconds,
})

/** What applies to every organization until it says otherwise. */
export const DEFAULT_ALERT_RULES: AlertRules = {
  rules: {
    'controller-offline': rule(300, 60),
    'connection-lost': rule(120, 60),
    'setpoint-not-taken': rule(120, 30),
    'not-restored': rule(120, 30),
    'limit-not-kept': rule(0, 0),
    'openadr-unreachable': rule(300, 0),
    'openadr-refused': rule(60, 0),
    'clock-wrong': rule(60, 60),
    'import-failed': rule(0, 0),
    'export-failed': rule(0, 0),
    'disk-low': rule(60, 300),
    'disk-failed': rule(30, 60),
    'memory-lost': rule(0, 3_600),
    'file-rolled-back': rule(0, 0),
    'telemetry-gap': rule(900, 60),
  },
  recipients: null,
}

/** A clock that is off the cloud's time by more than this is wrong. */
export const CLOCK_WRONG_MS = 5_000
