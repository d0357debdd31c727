import { givenTime, nextCursor, paging, time } from '../fields.ts'
import { MAX_RECENT } from '../main-measurements.ts'
import { STORABLE } from '../patterns.ts'
import { READS_ARCHIVE } from '../permissions.ts'
import { route } from '../route.ts'
import {
  anyOfObjects,
  array,
  defaulted,
  integer,
  nullable,
  number,
  object,
  oneOf,
  optional,
  type Static,
  text,
} from '../schema.ts'

/** The most points of a downsampled history. */
export const MAX_POINTS = 5000

const gaps = array(object({ from: time(), to: time(), dropped: integer() }), {
  description: 'Values of all its datapoints that the device had to drop in this time; at most 1000 gaps',
})

/** Archived values, by pages. */
export const MeasurementPage = object({
  measurements: array(object({ at: time(), value: number() })),
  gaps,
  nextCursor,
})
export interface MeasurementPage extends Static<typeof MeasurementPage> {}

/** Archived values, downsampled. */
export const MeasurementSteps = object({
  step: integer({ description: 'Seconds' }),
  points: array(
    object({
      at: time('The beginning of the step'),
      min: number(),
      mean: number(),
      max: number(),
      count: integer(),
    }),
    { description: 'Steps without values are left out' },
  ),
  gaps,
})
export interface MeasurementSteps extends Static<typeof MeasurementSteps> {}

/** The last hour of several datapoints, for small pictures beside their names. */
export const RecentValues = object({
  from: time('The beginning of the first step'),
  step: integer({ description: 'Seconds' }),
  series: array(
    object({
      deviceId: text(),
      datapointId: text(),
      means: array(nullable(number()), { description: 'One of each step; null where a step has no values' }),
    }),
    { description: 'In the order of the question' },
  ),
})
export interface RecentValues extends Static<typeof RecentValues> {}

/** The reply to a query without `points` and `step`. */
export function pageOf(reply: MeasurementPage | MeasurementSteps): MeasurementPage {
  if ('measurements' in reply) return reply
  throw new Error('the service answered with steps instead of measurements')
}

/** The reply to a query with `points` or `step`. */
export function stepsOf(reply: MeasurementPage | MeasurementSteps): MeasurementSteps {
  if ('points' in reply) return reply
  throw new Error('the service answered with measurements instead of steps')
}

/** The history of values. */
export const measurementRoutes = {
  listMeasurements: route({
    method: 'GET',
    path: '/api/orgs/:orgId/devices/:deviceId/datapoints/:datapointId/measurements',
    access: { by: 'key-or-operator', permission: READS_ARCHIVE, role: 'viewer' },
    tag: 'History',
    summary: 'List the archived values of a datapoint, the oldest first, by pages; or downsampled, in one answer',
    description:
      'With `points` or `step`, the answer has the lowest, mean and highest value and the number of values of each step. A step begins at a whole multiple of its length since 1970, and the period is widened to whole steps.',
    query: object({
      from: optional(givenTime('Inclusive; 24 hours before `to` when missing')),
      to: optional(givenTime('Exclusive; now when missing')),
      points: optional(
        integer({
          minimum: 2,
          maximum: MAX_POINTS,
          description: 'Downsample to at most this many points, with the shortest round step',
        }),
      ),
      step: optional(
        integer({ minimum: 1, maximum: 31_622_400, description: 'Downsample with this step, in seconds' }),
      ),
      format: defaulted(oneOf(['json', 'csv'], { description: 'csv holds the whole period, without gaps' }), 'json'),
      ...paging({ most: 10_000, default: 1000 }),
    }),
    reply: anyOfObjects([MeasurementPage, MeasurementSteps]),
    alsoAs: 'text/csv',
  }),
  listRecentValues: route({
    method: 'GET',
    path: '/api/orgs/:orgId/sites/:siteId/recent-values',
    access: { by: 'operator', role: 'viewer' },
    tag: 'History',
    summary: 'List the archived values of the last hour of several datapoints of a site, as means of two minutes',
    query: object({
      datapoints: text({
        minLength: 1,
        maxLength: 10_000,
        pattern: STORABLE,
        description: `Up to ${MAX_RECENT}, each as \`deviceId/datapointId\`, with commas between them`,
      }),
    }),
    reply: RecentValues,
  }),
} as const
