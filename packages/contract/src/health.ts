import { array, boolean, integer, nullable, number, object, type Static, text } from './schema.ts'

/** Longer lists are cut by the controller, and refused by the cloud. */
export const MAX_HEALTH_ITEMS = 200
const LONGEST_TEXT = 255

const short = () => text({ maxLength: LONGEST_TEXT })
const seconds = (description: string) => integer({ minimum: 0, maximum: 10 * 366 * 86_400, description })

/** Times are durations, so that a controller with a wrong clock can say them. */
const Trouble = object({
  id: text({ minLength: 1, maxLength: LONGEST_TEXT }),
  name: short(),
  seconds: seconds('For how long'),
  reason: nullable(short()),
})
export interface HealthTrouble extends Static<typeof Trouble> {}

const troubles = (description: string) => array(Trouble, { maxItems: MAX_HEALTH_ITEMS, description })

/** What a controller says about itself: after a change, when it connects, and every 5 minutes. */
export const DeviceHealth = object({
  connections: troubles('Connections to equipment that are down'),
  notTaken: troubles('Datapoints whose equipment does not take the setpoint'),
  notRestored: troubles('Datapoints that are no longer overridden and could not be set back'),
  clockOffsetMs: nullable(
    number({
      minimum: -1e14,
      maximum: 1e14,
      description: 'By how much the clock is ahead of the cloud; null when unknown',
    }),
  ),
  diskLow: boolean({ description: 'The disk has no room, so that new overrides are rejected or measurements dropped' }),
  droppedMeasurements: integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Measurements that were dropped in the last 15 minutes',
  }),
})
export interface DeviceHealth extends Static<typeof DeviceHealth> {}
