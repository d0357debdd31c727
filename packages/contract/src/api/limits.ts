import { givenTime, nextCursor, paging, storable } from '../fields.ts'
import { OUTCOMES, PROGRESS_EVENTS } from '../fleet.ts'
import { FleetLimit, LimitOutcome, LimitRequest, SiteLimitInterval } from '../fleet-limit.ts'
import { READS_ARCHIVE } from '../permissions.ts'
import { route } from '../route.ts'
import { array, defaulted, object, oneOf, optional, text } from '../schema.ts'

const LIMITS = '/api/orgs/:orgId/limits'
const tag = 'Power limits'
const permission = 'edge-device:read_write'
/** A key sees and releases its own limits; people those whose sites they all manage. */
const manager = { by: 'key-or-operator', permission, role: 'manager' } as const

/** Ceilings of the power of sites, and the proof that they were kept. */
export const limitRoutes = {
  placeLimit: route({
    method: 'POST',
    path: LIMITS,
    // Not the operator: every limit needs an owner.
    access: { by: 'key', permission, role: 'manager' },
    tag,
    summary: 'Limit the power of one site or of several together; answers immediately, and tries until the deadline',
    body: LimitRequest,
    status: 201,
    reply: object({ id: text() }),
  }),
  listLimits: route({
    method: 'GET',
    path: LIMITS,
    access: manager,
    tag,
    summary: 'List power limits, the newest first, by pages',
    query: object({
      siteId: optional(storable('Only limits of this site')),
      active: optional(
        oneOf(['true', 'false'], { description: 'Only limits that are queued or in force, or only the others' }),
      ),
      ...paging({ most: 100, default: 20 }),
    }),
    reply: object({ limits: array(FleetLimit), nextCursor }),
  }),
  getLimit: route({
    method: 'GET',
    path: `${LIMITS}/:limitId`,
    access: manager,
    tag,
    summary: 'A power limit, with the outcome of each controller by pages',
    query: object({
      outcome: optional(oneOf(OUTCOMES, { description: 'Only controllers with this outcome' })),
      ...paging({ most: 1000, default: 100 }),
    }),
    reply: object({ ...FleetLimit.properties, outcomes: array(LimitOutcome), nextCursor }),
  }),
  followLimit: route({
    method: 'GET',
    path: `${LIMITS}/:limitId/events`,
    access: manager,
    tag,
    summary: 'Follow a power limit as server-sent events, until no controller is pending',
    events: PROGRESS_EVENTS,
  }),
  releaseLimit: route({
    method: 'DELETE',
    path: `${LIMITS}/:limitId`,
    access: manager,
    tag,
    summary: 'Release a power limit: controllers that hold it release it, others do not get it; safe to repeat',
    reply: FleetLimit,
  }),
  listLimitIntervals: route({
    method: 'GET',
    path: '/api/orgs/:orgId/sites/:siteId/limit-intervals',
    access: { by: 'key-or-operator', permission: READS_ARCHIVE, role: 'viewer' },
    tag,
    summary:
      'List the intervals in which a site was limited, the oldest first, by pages: limit, mean and whether it was kept',
    query: object({
      from: optional(givenTime('Only intervals that begin at this time or later; 24 hours before `to` when missing')),
      to: optional(givenTime('Only intervals that begin before this time; now when missing')),
      format: defaulted(oneOf(['json', 'csv'], { description: 'csv holds the whole period' }), 'json'),
      ...paging({ most: 10_000, default: 1000 }),
    }),
    reply: object({ intervals: array(SiteLimitInterval), nextCursor }),
    alsoAs: 'text/csv',
  }),
} as const
