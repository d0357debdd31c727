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

const energyKwh = optional(
  number({
    description:
      'The energy of the covered time in kWh, of a datapoint with `analyticsCalculateConsumption`. Of a counter it is the difference',
  }),
)

/** Archived values, by pages. */
export const MeasurementPage = object({
  measurements: array(
    object({
      at: time('The end of the interval; of a sample, its time'),
      value: number({ description: 'The last value of the interval' }),
      seconds: optional(integer({ description: 'The length of the interval; missing for a sample' })),
      mean: optional(number({ description: 'Weighted by time; missing for a sample' })),
      min: optional(number()),
      max: optional(number()),
      coverage: optional(
        integer({
          description:
            'For how much of the interval the value was known, in percent; missing for a sample, as older controllers send it',
        }),
      ),
      energyKwh,
    }),
  ),
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
      last: nullable(
        number({ description: 'Null in hours that an older version of the service compacted, which did not keep it' }),
      ),
      count: integer({ description: 'How many intervals or samples the step has' }),
      coverage: nullable(
        integer({
          description:
            'For how much of the step the value was known, in percent; null when the step has samples of an older controller',
        }),
      ),
      energyKwh,
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
      'A controller archives whole intervals, aligned to the clock of the site: the mean over time, the lowest, the highest and the last value, and for how much of the interval it knew the value. With `points` or `step`, the answer has the same of each step: its mean is weighted by the time that the intervals cover. An interval belongs to the step in which it begins. A step begins at a whole multiple of its length since 1970, and one of whole days at midnight of the site, so that a day may have 23 or 25 hours. The period is widened to whole steps. Older controllers archive samples: their `coverage` is null, and their mean is that of the samples.',
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
      format: defaulted(
        oneOf(['json', 'csv'], {
          description: 'csv holds the whole period, without gaps; its column quality says complete, partial or samples',
        }),
        'json',
      ),
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
