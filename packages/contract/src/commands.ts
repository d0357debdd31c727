import { DeviceCheck } from './commissioning/index.ts'
import { ControlState } from './control-state.ts'
import { ExportedDatapoint, TechnicalSystem } from './datapoint.ts'
import { EquipmentReading, EquipmentScan, equipmentAddress, scanTarget } from './discovery.ts'
import { givenTime, MAX_REASON } from './fields.ts'
import { MAX_TEST_SECONDS, MIN_TEST_SECONDS } from './output-test.ts'
import { UUID } from './patterns.ts'
import { AVERAGING_SECONDS, DEFAULT_AVERAGING_SECONDS, DIRECTIONS, MAX_LIMIT_KW } from './power-limit.ts'
import { RESTORE_OUTCOMES, RestorePart } from './replacement.ts'
import { ReportedValue } from './reports.ts'
import type { Role } from './roles.ts'
import {
  array,
  boolean,
  defaulted,
  integer,
  number,
  object,
  oneOf,
  optional,
  type Schema,
  type Static,
  text,
} from './schema.ts'
import { ConnectionValues } from './values.ts'

/** The largest page of `getTechnicalDataPoints`. */
export const MAX_LIMIT = 1000
export const DEFAULT_LIMIT = 100

/** The most overrides that a reply of `cancelOverrides` lists. */
export const MAX_LISTED_CANCELLED = 1000

/** The most reqIds in one `cancelOverridesByReqId`. */
export const MAX_CANCELLED_REQ_IDS = 1000

/** The longest name of a caller in an envelope. */
export const MAX_CALLER_NAME = 200

/** The largest message between cloud and device, either way. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

/** How a person closes a hold that the controller cannot restore. */
export const CLOSE_OUTCOMES = ['restored-by-hand', 'abandoned'] as const
export type CloseOutcome = (typeof CLOSE_OUTCOMES)[number]

/** One command that a device carries out. */
interface CommandDeclaration {
  /** The shape of `data`; the device judges its meaning. */
  readonly request: Schema
  readonly reply: Schema
  /** `cloud`: the cloud alone sends it. Otherwise also a key, and a person with at least this role. */
  readonly access: 'cloud' | Role
  /** It changes the device or its equipment, so both sides log it. */
  readonly changes?: true
  readonly summary: string
}

const auditKey = optional(
  text({ maxLength: 255, description: 'The public key that signs the audit; an earlier controller does not say it' }),
)

/** Every command there is. Routes, the device's handlers, the client and the reference follow from this table. */
export const COMMANDS = {
  getTechnicalDataPoints: {
    request: object({
      connectionId: text({ description: 'The connection whose datapoints to export' }),
      limit: defaulted(integer({ minimum: 1, maximum: MAX_LIMIT }), DEFAULT_LIMIT),
      offset: defaulted(integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), 0),
    }),
    reply: object({ count: integer(), datapoints: array(ExportedDatapoint) }),
    access: 'viewer',
    summary: 'Export the datapoints of a connection, by pages',
  },
  getTechnicalConnectionValues: {
    request: object({ id: text({ description: 'The connection whose values to read' }) }),
    reply: ConnectionValues,
    access: 'viewer',
    summary: 'Read the live values of a connection',
  },
  demandResponseOverride: {
    request: object({
      datapointId: text({ description: 'The datapoint to hold' }),
      value: number({ description: 'Setpoint in engineering units; not clamped to the envelope' }),
      from: givenTime('Start; a time in the past starts immediately'),
      to: givenTime('End; in the future, at most 24 hours after from'),
      reason: optional(text({ maxLength: MAX_REASON, description: 'Why, for people; kept with the override' })),
    }),
    reply: object({ id: text({ description: 'Needed to cancel the override' }) }),
    access: 'manager',
    changes: true,
    summary: 'Hold a datapoint at a value for a bounded time',
  },
  demandResponseCancel: {
    request: object({
      id: text({ description: 'The override to cancel' }),
      reason: optional(text({ maxLength: MAX_REASON, description: 'Why, for people; kept with the audit entry' })),
    }),
    reply: object({ success: boolean() }),
    access: 'manager',
    changes: true,
    summary: 'Cancel an override; safe to repeat',
  },
  cancelOverrides: {
    request: object({
      placedBy: text({ minLength: 1, description: 'The caller whose overrides to cancel' }),
      reason: optional(text({ maxLength: MAX_REASON, description: 'Why, for people; kept with the audit entries' })),
    }),
    reply: object({
      count: integer({ description: 'How many were cancelled' }),
      cancelled: array(object({ id: text(), datapointId: text() }), {
        description: `The first ${MAX_LISTED_CANCELLED} of them, in the order of acceptance`,
      }),
    }),
    access: 'cloud',
    changes: true,
    summary: 'Cancel everything that one caller placed, power limits too; safe to repeat',
  },
  cancelOverridesByReqId: {
    request: object({
      placedBy: text({ minLength: 1, description: 'The caller who placed them' }),
      reqIds: array(text({ pattern: UUID }), { minItems: 1, maxItems: MAX_CANCELLED_REQ_IDS }),
      reason: optional(text({ maxLength: MAX_REASON, description: 'Why, for people; kept with the audit entries' })),
    }),
    reply: object({
      cancelled: array(object({ reqId: text(), id: text(), datapointId: text() }), {
        description: 'The overrides and power limits that had not ended. The others have ended or were never accepted',
      }),
    }),
    access: 'cloud',
    changes: true,
    summary: 'Cancel what one caller placed with these reqIds, whether or not it got an answer; safe to repeat',
  },
  placeLimit: {
    request: object({
      direction: oneOf(DIRECTIONS),
      kw: number({ minimum: 0, maximum: MAX_LIMIT_KW }),
      from: givenTime('Start; a time in the past starts immediately'),
      to: givenTime('End; in the future, at most 24 hours after from'),
      averagingSeconds: defaulted(oneOf(AVERAGING_SECONDS), DEFAULT_AVERAGING_SECONDS),
      reason: optional(text({ maxLength: MAX_REASON, description: 'Why, for people; kept with the limit' })),
    }),
    reply: object({ id: text(), meterId: text({ description: 'The meter whose power is limited' }) }),
    access: 'cloud',
    changes: true,
    summary: 'Limit the power of the connection point for a bounded time',
  },
  testOutput: {
    request: object({
      datapointId: text({ description: 'The output to test' }),
      value: number({ description: 'Setpoint in engineering units, within the envelope' }),
      seconds: integer({ minimum: MIN_TEST_SECONDS, maximum: MAX_TEST_SECONDS }),
      meterId: optional(text({ description: 'The meter that should follow' })),
    }),
    reply: object({ id: text({ description: 'The override that tests the output' }) }),
    access: 'cloud',
    changes: true,
    summary: 'Hold a datapoint that nothing holds for at most a minute, and report what was read meanwhile',
  },
  readEquipment: {
    request: object(equipmentAddress),
    reply: EquipmentReading,
    access: 'cloud',
    summary: 'Read one address at equipment once, commissioned or not; nothing is written or stored',
  },
  startScan: {
    request: object(scanTarget),
    reply: EquipmentScan,
    access: 'cloud',
    changes: true,
    summary:
      'Look for equipment where the settings point; one scan at a time. Returns what was found within a few seconds',
  },
  getScan: {
    request: object({ id: text() }),
    reply: EquipmentScan,
    access: 'cloud',
    summary: 'What a scan has found so far, after a few seconds or at its end',
  },
  cancelScan: {
    request: object({ id: text() }),
    reply: EquipmentScan,
    access: 'cloud',
    changes: true,
    summary: 'End a scan; safe to repeat',
  },
  closeHold: {
    request: object({
      datapointId: text({ description: 'The datapoint whose hold to close' }),
      outcome: oneOf(CLOSE_OUTCOMES),
      reason: text({ minLength: 1, maxLength: MAX_REASON, description: 'Why, for people; kept with the audit entry' }),
    }),
    reply: object({ readBack: ReportedValue }),
    access: 'cloud',
    changes: true,
    summary: 'Close a hold that cannot be restored; nothing is written. Returns what the equipment showed last',
  },
  commission: {
    request: object({
      technicalSystem: TechnicalSystem,
      sameEquipment: optional(
        boolean({ description: 'Changed addresses reach the same equipment, so what is held stays held over them' }),
      ),
      loadId: optional(text({ description: 'Names the load in what the controller says of its trial' })),
      keep: optional(boolean({ description: 'Without a trial, whatever becomes of connections' })),
    }),
    reply: object({ auditKey }),
    access: 'cloud',
    changes: true,
    summary: 'Load a technical system onto the device',
  },
  checkCommissioning: {
    request: object({ technicalSystem: TechnicalSystem, sameEquipment: optional(boolean()) }),
    reply: DeviceCheck,
    access: 'cloud',
    summary: 'Check a technical system as `commission` would, and change nothing',
  },
  restore: {
    request: RestorePart,
    reply: object({ outcome: oneOf(RESTORE_OUTCOMES), auditKey }),
    access: 'cloud',
    summary: 'Give an empty controller what the one before it had, in parts; safe to repeat',
  },
  getControlState: {
    request: object({}),
    reply: ControlState,
    access: 'cloud',
    summary: 'Everything the console shows of a device: live values, holds and overrides',
  },
} as const satisfies Record<string, CommandDeclaration>

export type CommandName = keyof typeof COMMANDS

/** Reports whether a command changes the device or its equipment; false for one that is unknown. */
export const isChange = (command: string): boolean =>
  Object.hasOwn(COMMANDS, command) && (COMMANDS as Record<string, CommandDeclaration>)[command]?.changes === true

export type CommandRequest<Name extends CommandName> = Static<(typeof COMMANDS)[Name]['request']>
export type CommandReply<Name extends CommandName> = Static<(typeof COMMANDS)[Name]['reply']>

/** The commands that partners and people may send, as the last part of the path. */
export type PublicCommand = {
  [Name in CommandName]: (typeof COMMANDS)[Name]['access'] extends 'cloud' ? never : Name
}[CommandName]
export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[]
export const PUBLIC_COMMANDS = COMMAND_NAMES.filter((name): name is PublicCommand => COMMANDS[name].access !== 'cloud')

/** What travels to the device. The cloud answers its caller with 502 at `deadline`, in its own time. */
export interface CommandEnvelope {
  reqId: string
  /** The caller; the same reqId of another caller is another request. */
  keyId: string
  /** The caller's name at that time, for people. */
  callerName?: string
  /** The HTTP request behind it, for the log of the device. An earlier cloud does not say it. */
  requestId?: string
  /** For earlier controllers, which refuse to cancel the override of another caller without it. */
  manages?: boolean
  deadline: number
  data: Record<string, unknown>
}

/** The body of a command's HTTP request. Fields that it does not declare are ignored. */
export const commandBody = <Data extends Schema>(data: Data) =>
  object({
    reqId: optional(text({ pattern: UUID, description: 'A UUID, echoed back; made when missing' })),
    data,
  })

/** The body of a command's HTTP reply. */
export const commandReply = <Data extends Schema>(data: Data) => object({ reqId: text(), data })
