import {
  CLOSE_OUTCOMES,
  COMMANDS,
  commandBody,
  commandReply,
  PUBLIC_COMMANDS,
  type PublicCommand,
} from '../commands.ts'
import {
  CommissioningCheck,
  CommissioningFile,
  CommissioningResult,
  CommissioningVersion,
} from '../commissioning/index.ts'
import { TechnicalSystem } from '../datapoint.ts'
import { MAX_REASON, nextCursor, paging, storable } from '../fields.ts'
import { NOT_BLANK } from '../patterns.ts'
import { NO_PERMISSION, READS_ARCHIVE } from '../permissions.ts'
import { ReportEntry, ReportedValue, ReportFilters } from '../reports.ts'
import { route } from '../route.ts'
import {
  anyObject,
  array,
  boolean,
  closedObject,
  defaulted,
  described,
  object,
  oneOf,
  optional,
  text,
} from '../schema.ts'
import { administrator } from './organization.ts'

const DEVICE = '/api/orgs/:orgId/devices/:deviceId'
const viewer = { by: 'key-or-operator', permission: 'edge-device:read_write', role: 'viewer' } as const

function commandRoute<Name extends PublicCommand>(name: Name) {
  const { request, reply, access, summary }: (typeof COMMANDS)[Name] = COMMANDS[name]
  return route({
    method: 'POST',
    path: `/api/orgs/:orgId/edge-device-admin/:deviceId/cmd/${name}` as const,
    access: {
      by: 'key',
      permission: 'edge-device:read_write',
      role: access,
      ...(name === 'demandResponseOverride' && { fresh: 'outside-envelope' as const }),
    },
    tag: 'Edge device commands',
    summary,
    ignoresUnknown: true,
    body: commandBody(request as (typeof COMMANDS)[Name]['request']),
    reply: commandReply(reply as (typeof COMMANDS)[Name]['reply']),
  })
}

/** One route for each public command, under its name. */
export const commandRoutes = Object.fromEntries(PUBLIC_COMMANDS.map((name) => [name, commandRoute(name)])) as {
  [Name in PublicCommand]: ReturnType<typeof commandRoute<Name>>
}

/** Commissioning, live state and audit of devices. */
export const deviceRoutes = {
  listTechnicalSystems: route({
    method: 'GET',
    path: `${DEVICE}/technical-systems`,
    access: viewer,
    tag: 'Administration',
    summary: 'List what is commissioned on a device; connection settings are empty unless you administer it',
    reply: object({ technicalSystems: array(TechnicalSystem) }),
  }),
  getCommissioningFile: route({
    method: 'GET',
    path: `${DEVICE}/technical-systems/:systemId/file`,
    access: administrator,
    tag: 'Administration',
    summary: 'The commissioning file of a technical system; loading it again changes nothing',
    reply: CommissioningFile,
  }),
  commission: route({
    method: 'PUT',
    path: `${DEVICE}/commissioning`,
    access: { ...administrator, fresh: true },
    tag: 'Administration',
    summary: 'Load a commissioning file onto a device; connections and datapoints keep their ids by name',
    query: object({
      base: optional(storable('The base of a check. Answers 409 if the system has been changed since')),
    }),
    body: CommissioningFile,
    reply: CommissioningResult,
  }),
  checkCommissioning: route({
    method: 'POST',
    path: `${DEVICE}/commissioning/check`,
    access: administrator,
    tag: 'Administration',
    summary: 'Check a commissioning file as loading it would, on the device too, and change nothing',
    // Not the schema of a file: the reply lists every mistake, also those of the shape.
    body: anyObject({ description: 'A commissioning file' }),
    reply: CommissioningCheck,
  }),
  listCommissioningVersions: route({
    method: 'GET',
    path: `${DEVICE}/commissioning/versions`,
    access: administrator,
    tag: 'Administration',
    summary: 'List what was commissioned on a device, the newest first',
    query: object({ technicalSystemId: optional(storable('Only versions of this technical system')) }),
    reply: object({ versions: array(CommissioningVersion) }),
  }),
  getCommissioningVersion: route({
    method: 'GET',
    path: `${DEVICE}/commissioning/versions/:version`,
    access: administrator,
    tag: 'Administration',
    summary: 'The commissioning file of a version; loading it restores that version',
    reply: CommissioningFile,
  }),

  closeHold: route({
    method: 'POST',
    path: `${DEVICE}/holds/:datapointId/close`,
    access: { by: 'key-or-operator', permission: NO_PERMISSION, role: 'manager' },
    tag: 'Administration',
    summary: 'Close a hold that the device cannot restore; nothing is written. For people: an API key gets 403',
    description:
      'A hold lives on the controller, so this needs the controller: 502 while it does not answer. It answers 499 when ' +
      'the datapoint is not held, or when a writer still holds it: release it first.',
    body: closedObject({
      outcome: oneOf(CLOSE_OUTCOMES, {
        description: 'restored-by-hand: a person has set the equipment back. abandoned: it stays as it is',
      }),
      reason: text({ maxLength: MAX_REASON, pattern: NOT_BLANK, description: 'Why, for people; the audit keeps it' }),
    }),
    reply: object({
      readBack: described(ReportedValue, 'What the controller read last; null when it has not read the datapoint'),
    }),
  }),

  releaseOverride: route({
    method: 'POST',
    path: `${DEVICE}/overrides/:overrideId/release`,
    access: { by: 'operator', role: 'manager' },
    tag: 'Administration',
    summary: 'Release an override now, or when the controller is back',
    description:
      'While the controller does not answer, the service keeps the release and sends it when the controller is back; ' +
      'what has ended by then stays ended. `pendingReleases` of the live state lists what waits.',
    body: object({
      reason: optional(text({ maxLength: MAX_REASON, description: 'Why, for people; kept with the audit entry' })),
    }),
    reply: object({ pending: boolean({ description: 'The controller is away: the release waits for it' }) }),
  }),
  followDevice: route({
    method: 'GET',
    path: `${DEVICE}/live`,
    access: viewer,
    tag: 'History',
    summary: 'Follow live values, holds and overrides of a device, as server-sent events every two seconds',
    query: object({
      fresh: defaulted(
        oneOf(['true', 'false'], {
          description:
            'true: the first `state` is asked of the device after this request; otherwise it may be two seconds old',
        }),
        'false',
      ),
    }),
    events:
      'An endless stream. An event `state` is an answer of the device and holds {"at", "clockSuspect", "connections", ' +
      '"holds", "overrides"}, and for those who manage the site "pendingReleases" while releases wait for the device; ' +
      'a key gets its own overrides, and of other holds only {"datapointId", "by"}; ' +
      'an event `offline` holds {"message"}, the reason why the device does not answer; before it, an event ' +
      '`last-known` holds {"ageMs", "state"}, what the device said last and how long ago, if it ever said anything',
  }),
  followBroadcasts: route({
    method: 'GET',
    path: `${DEVICE}/broadcasts`,
    access: { by: 'operator', role: 'viewer' },
    tag: 'History',
    summary: 'Follow the values that a device pushes, as server-sent events named `values`',
    events: 'An endless stream; each event holds {"values": {"<datapointId>": {"value", "timestamp", …}}}',
  }),
  listReports: route({
    method: 'GET',
    path: '/api/orgs/:orgId/reports',
    access: { ...viewer, permission: READS_ARCHIVE },
    tag: 'History',
    summary: 'List what demand response, peak shaving and schedules did to datapoints, the newest first, by pages',
    query: object({
      ...ReportFilters.properties,
      format: defaulted(
        oneOf(['json', 'csv', 'chain'], {
          description: 'json comes by pages, csv whole and with names, chain as the device signed it (needs deviceId)',
        }),
        'json',
      ),
      ...paging({ most: 1000, default: 100 }),
    }),
    reply: object({ reports: array(ReportEntry), nextCursor }),
    alsoAs: 'text/csv',
  }),
} as const
