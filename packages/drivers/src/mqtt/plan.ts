import type { Reading } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { readState, shown, stateText } from './codec.ts'
import type { Availability, MqttConfig, MqttPoint } from './config.ts'
import { withImage } from './image.ts'
import type { Message } from './message-cache.ts'

/** A point with every availability that applies to it. */
export interface PlannedPoint extends MqttPoint {
  /** The availability of the connection and of the point itself. */
  availabilities: readonly Availability[]
}

export interface Plan {
  points: readonly PlannedPoint[]
  /** The topics to subscribe to, each once. */
  topics: readonly string[]
}

export function planTopics({ settings, points }: MqttConfig): Plan {
  const planned = points.map((point) => ({
    ...point,
    availabilities: [settings.availability, point.availability].filter((each) => each !== undefined),
  }))
  const topics = planned.flatMap(({ state, availabilities }) => [
    ...(state ? [state.topic] : []),
    ...availabilities.map(({ topic }) => topic),
  ])
  return { points: planned, topics: [...new Set(topics)] }
}

type Latest = (topic: string) => Message | undefined

/** Returns the reading of a point at the monotonic time `now`, from the last message on each topic. */
export function readingOf(point: PlannedPoint, latest: Latest, now: number): Reading {
  const { name, state, command } = point
  if (!state) return { error: `${name} can only be written` }
  const absence = absenceOf(point, latest)
  if (absence !== undefined) return { error: absence }
  const message = latest(state.topic)
  if (!message) return { error: 'no state received yet' }
  if (state.maxAgeMs !== undefined && now - message.since > state.maxAgeMs) {
    return { error: `stale: no state received for more than ${state.maxAgeMs / 1000} s` }
  }
  const reading = readState(message.payload, state.path, state.switchValues)
  return command ? withImage(reading, message.payload.at(state.path), command) : reading
}

/**
 * Returns true while no point is known to be available and the availability of some has not arrived yet.
 */
export function isUndecided(points: readonly PlannedPoint[], latest: Latest): boolean {
  const isKnown = ({ availabilities }: PlannedPoint) => availabilities.every(({ topic }) => latest(topic))
  const present = (point: PlannedPoint) => isKnown(point) && absenceOf(point, latest) === undefined
  const unknown = (point: PlannedPoint) => !isKnown(point) && absenceOf(point, latest) === undefined
  return !points.some(present) && points.some(unknown)
}

/** Returns why all points are absent; `undefined` if one of them is not. */
export function commonAbsence(points: readonly PlannedPoint[], latest: Latest): string | undefined {
  let first: string | undefined
  for (const point of points) {
    const absence = absenceOf(point, latest)
    if (absence === undefined) return undefined
    first ??= absence
  }
  return first
}

/** Returns why the equipment is considered absent; `undefined` if it is not. */
export function absenceOf({ availabilities }: PlannedPoint, latest: Latest): string | undefined {
  for (const { topic, path, online, offline } of availabilities) {
    const found = latest(topic)?.payload.at(path)
    if (!found) continue
    if ('error' in found) return `${excerpt(topic)}: ${found.error}`
    const word = stateText(found.value)
    if (word === offline) return 'the equipment reports that it is offline'
    if (word !== online) {
      return `${excerpt(topic)}: ${shown(found.value)} is neither ${shown(online)} nor ${shown(offline)}`
    }
  }
  return undefined
}
