import type { Reading } from '../driver.ts'
import type { Message } from './board.ts'
import { readState, shown, wordOf } from './codec.ts'
import type { Availability, MqttConfig, MqttPoint } from './config.ts'

/** A point, and everything that is said about it. */
export interface PlannedPoint extends MqttPoint {
  /** Of the equipment behind all points and of the one behind this point. */
  availabilities: readonly Availability[]
}

export interface Plan {
  points: readonly PlannedPoint[]
  /** What is listened to: each topic once, however many points share it. */
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

/** What is known about the point at `now`, by the monotonic clock, from the last message of each topic. */
export function readingOf(point: PlannedPoint, latest: Latest, now: number): Reading {
  const { name, state } = point
  if (!state) return { error: `${name} can only be written` }
  const absence = absenceOf(point, latest)
  if (absence !== undefined) return { error: absence }
  const message = latest(state.topic)
  if (!message) return { error: 'no state received yet' }
  if (state.maxAgeMs !== undefined && now - message.since > state.maxAgeMs) {
    return { error: `stale: no state received for more than ${state.maxAgeMs / 1000} s` }
  }
  return readState(message.payload, state.path, state.words)
}

/** Why the equipment counts as not there; `undefined` as long as nothing says so. */
export function absenceOf({ availabilities }: PlannedPoint, latest: Latest): string | undefined {
  for (const { topic, path, online, offline } of availabilities) {
    const found = latest(topic)?.payload.at(path)
    if (!found) continue
    if ('error' in found) return `${topic}: ${found.error}`
    const word = wordOf(found.value)
    if (word === offline) return 'the equipment says that it is offline'
    if (word !== online) return `${topic}: ${shown(found.value)} is neither ${shown(online)} nor ${shown(offline)}`
  }
  return undefined
}
