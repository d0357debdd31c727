import { givenTime, nextCursor, paging, time } from '../fields.ts'
import { READS_ARCHIVE } from '../permissions.ts'
import { route } from '../route.ts'
import { anyOfObjects, array, defaulted, integer, number, object, oneOf, optional, type Static } from '../schema.ts'

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
} as const
