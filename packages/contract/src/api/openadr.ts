import { givenTime, nextCursor, paging, storable } from '../fields.ts'
import {
  GivenOpenadrProgram,
  GivenOptOut,
  OPENADR_EVENT_STATES,
  OPENADR_REPORT_STATES,
  OpenadrCheck,
  OpenadrEvent,
  OpenadrOptOut,
  OpenadrProgram,
  OpenadrReport,
  openadrChanges,
} from '../openadr.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { route } from '../route.ts'
import { array, object, oneOf, optional, partial } from '../schema.ts'

const tag = 'OpenADR'
const OPENADR = '/api/orgs/:orgId/openadr'
const PROGRAMS = `${OPENADR}/programs` as const
const PROGRAM = `${PROGRAMS}/:programId` as const
/** A program controls equipment on behalf of others, with a secret: people decide, never a key. */
const administrator = { by: 'key-or-operator', permission: NO_PERMISSION, role: 'admin' } as const
const freshAdministrator = { ...administrator, fresh: true } as const
/** People see the programs whose sites they all manage. */
const manager = { by: 'key-or-operator', permission: NO_PERMISSION, role: 'manager' } as const

const programId = optional(storable('Only of this program'))

/** Programs of utilities and aggregators that speak OpenADR 3: the service is their VEN. */
export const openadrRoutes = {
  listOpenadrPrograms: route({
    method: 'GET',
    path: PROGRAMS,
    access: manager,
    tag,
    summary: 'List the OpenADR programs of an organization, with their state',
    reply: object({ programs: array(OpenadrProgram) }),
  }),
  addOpenadrProgram: route({
    method: 'POST',
    path: PROGRAMS,
    access: freshAdministrator,
    tag,
    summary: 'Add an OpenADR program: the service registers at its VTN, follows its events and sends reports',
    body: GivenOpenadrProgram,
    status: 201,
    reply: OpenadrProgram,
  }),
  getOpenadrProgram: route({
    method: 'GET',
    path: PROGRAM,
    access: manager,
    tag,
    summary: 'An OpenADR program with its state; its secret is never returned',
    reply: OpenadrProgram,
  }),
  changeOpenadrProgram: route({
    method: 'PATCH',
    path: PROGRAM,
    access: freshAdministrator,
    tag,
    summary: 'Change an OpenADR program; what its events placed follows',
    body: partial(openadrChanges),
    reply: OpenadrProgram,
  }),
  removeOpenadrProgram: route({
    method: 'DELETE',
    path: PROGRAM,
    access: administrator,
    tag,
    summary: 'Remove an OpenADR program and what is known of its events; everything that it placed is released',
    status: 204,
  }),
  checkOpenadrProgram: route({
    method: 'POST',
    path: `${PROGRAM}/check`,
    access: administrator,
    tag,
    summary:
      'Connect to the VTN step by step, and say what works and what to ask its operator; registers the VEN and its resources as a poll does',
    reply: OpenadrCheck,
  }),
  listOpenadrEvents: route({
    method: 'GET',
    path: `${OPENADR}/events`,
    access: manager,
    tag,
    summary: 'List OpenADR events with what became of each at every controller, the latest beginning first, by pages',
    query: object({
      programId,
      state: optional(oneOf(OPENADR_EVENT_STATES)),
      from: optional(givenTime('Only events that end after this time')),
      to: optional(givenTime('Only events that begin before this time')),
      ...paging({ most: 100, default: 20 }),
    }),
    reply: object({ events: array(OpenadrEvent), nextCursor }),
  }),
  optOutOfOpenadrEvent: route({
    method: 'POST',
    path: `${OPENADR}/events/:eventId/opt-outs`,
    access: manager,
    tag,
    summary:
      'Opt resources out of a running or coming OpenADR event: what it placed for them is released, and its VTN gets a report',
    body: GivenOptOut,
    status: 201,
    reply: object({ optOuts: array(OpenadrOptOut, { description: 'All of the event that are in force' }) }),
  }),
  endOpenadrOptOut: route({
    method: 'DELETE',
    path: `${OPENADR}/opt-outs/:optOutId`,
    access: manager,
    tag,
    summary: 'Opt a resource back in to an OpenADR event, which is placed again',
    status: 204,
  }),
  listOpenadrReports: route({
    method: 'GET',
    path: `${OPENADR}/reports`,
    access: manager,
    tag,
    summary: 'List the reports to VTNs, the newest first, by pages: sent, due and refused, with what the VTN said',
    query: object({
      programId,
      state: optional(oneOf(OPENADR_REPORT_STATES)),
      ...paging({ most: 200, default: 50 }),
    }),
    reply: object({ reports: array(OpenadrReport), nextCursor }),
  }),
  notifyOpenadr: route({
    method: 'POST',
    path: '/api/openadr/notifications/:token',
    access: { by: 'anyone' },
    tag,
    summary: 'Where a VTN announces changes: only wakes the poll of the program that the secret in the path belongs to',
    description: 'The body is ignored. An unknown secret gets the same answer.',
    ignoresUnknown: true,
    status: 204,
  }),
} as const
