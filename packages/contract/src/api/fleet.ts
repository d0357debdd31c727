import { nextCursor, paging } from '../fields.ts'
import { DispatchOutcome, DispatchRequest, FleetDispatch, OUTCOMES, PROGRESS_EVENTS } from '../fleet.ts'
import { route } from '../route.ts'
import { array, object, oneOf, optional, text } from '../schema.ts'

const DISPATCHES = '/api/orgs/:orgId/dispatches'
const tag = 'Fleet dispatches'
const permission = 'edge-device:read_write'
/** A key sees and cancels its own dispatches; people those whose sites they all manage. */
const manager = { by: 'key-or-operator', permission, role: 'manager' } as const

/** One setpoint for many controllers. */
export const fleetRoutes = {
  startDispatch: route({
    method: 'POST',
    path: DISPATCHES,
    // Not the operator: every override needs an owner.
    access: { by: 'key', permission, role: 'manager', fresh: 'outside-envelope' },
    tag,
    summary: 'Send one setpoint to many controllers; answers immediately, and tries until the deadline',
    body: DispatchRequest,
    status: 202,
    reply: object({ id: text() }),
  }),
  listDispatches: route({
    method: 'GET',
    path: DISPATCHES,
    access: manager,
    tag,
    summary: 'List fleet dispatches, the newest first, by pages',
    query: object(paging({ most: 100, default: 20 })),
    reply: object({ dispatches: array(FleetDispatch), nextCursor }),
  }),
  getDispatch: route({
    method: 'GET',
    path: `${DISPATCHES}/:dispatchId`,
    access: manager,
    tag,
    summary: 'The progress of a fleet dispatch, with the outcome of each datapoint by pages',
    query: object({
      outcome: optional(oneOf(OUTCOMES, { description: 'Only datapoints with this outcome' })),
      ...paging({ most: 1000, default: 100 }),
    }),
    reply: object({ ...FleetDispatch.properties, outcomes: array(DispatchOutcome), nextCursor }),
  }),
  followDispatch: route({
    method: 'GET',
    path: `${DISPATCHES}/:dispatchId/events`,
    access: manager,
    tag,
    summary: 'Follow a fleet dispatch as server-sent events, until it has ended',
    events: PROGRESS_EVENTS,
  }),
  cancelDispatch: route({
    method: 'DELETE',
    path: `${DISPATCHES}/:dispatchId`,
    access: manager,
    tag,
    summary: 'Cancel a fleet dispatch: pending overrides are not sent, accepted ones are released; safe to repeat',
    reply: FleetDispatch,
  }),
} as const
