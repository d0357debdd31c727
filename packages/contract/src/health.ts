import { array, integer, nullable, number, object, optional, type Static, text } from './schema.ts'

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
  version: optional(
    text({ maxLength: 50, description: 'The version of the controller; an earlier one does not say it' }),
  ),
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
  clockWrongSeconds: nullable(seconds('For how long the clock is off by more than 5 s; null when it is not')),
  freeBytes: nullable(integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  diskLowSeconds: nullable(
    seconds('For how long less than 64 MiB are free for the journal and unsent measurements; null when more are'),
  ),
  droppedMeasurements: integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Measurements that were dropped in the last 15 minutes',
  }),
  droppedSeconds: nullable(seconds('For how long measurements have been dropped; null when none were lately')),
  journalTrouble: optional(
    nullable(short(), {
      description:
        'Why the journal cannot be kept on the disk; null when it can. An earlier controller does not say it',
    }),
  ),
  journalTroubleSeconds: optional(nullable(seconds('For how long the journal cannot be kept on the disk'))),
})
export interface DeviceHealth extends Static<typeof DeviceHealth> {}
