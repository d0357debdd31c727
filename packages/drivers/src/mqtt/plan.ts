import type { Reading } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import type { Message } from './board.ts'
import { readState, shown, wordOf } from './codec.ts'
import type { Availability, MqttConfig, MqttPoint } from './config.ts'
import { withImage } from './image.ts'

/** A point with every availability that applies to it. */
export interface PlannedPoint extends MqttPoint {
  /** Of the connection and of the point itself. */
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

/** The reading of a point at `now`, by the monotonic clock, from the last message of each topic. */
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
  const reading = readState(message.payload, state.path, state.words)
  return command ? withImage(reading, message.payload.at(state.path), command) : reading
}

/**
 * True while no point is known to be available, and the availability of some has not been received yet.
 */
export function isUndecided(points: readonly PlannedPoint[], latest: Latest): boolean {
  const isKnown = ({ availabilities }: PlannedPoint) => availabilities.every(({ topic }) => latest(topic))
  const present = (point: PlannedPoint) => isKnown(point) && absenceOf(point, latest) === undefined
  const unknown = (point: PlannedPoint) => !isKnown(point) && absenceOf(point, latest) === undefined
  return !points.some(present) && points.some(unknown)
}

/** Why all of the points are absent; `undefined` when one of them is not. */
export function commonAbsence(points: readonly PlannedPoint[], latest: Latest): string | undefined {
  let first: string | undefined
  for (const point of points) {
    const absence = absenceOf(point, latest)
    if (absence === undefined) return undefined
    first ??= absence
  }
  return first
}

/** Why the equipment counts as absent; `undefined` while nothing says so. */
export function absenceOf({ availabilities }: PlannedPoint, latest: Latest): string | undefined {
  for (const { topic, path, online, offline } of availabilities) {
    const found = latest(topic)?.payload.at(path)
    if (!found) continue
    if ('error' in found) return `${excerpt(topic)}: ${found.error}`
    const word = wordOf(found.value)
    if (word === offline) return 'the equipment says that it is offline'
    if (word !== online) {
      return `${excerpt(topic)}: ${shown(found.value)} is neither ${shown(online)} nor ${shown(offline)}`
    }
  }
  return undefined
}
