import { createHash } from 'node:crypto'
import type { Target } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { canonicalHost } from '../host.ts'
import type { Availability, Command, MqttConfig, MqttPoint, MqttSettings } from './config.ts'

/** Returns the target of each datapoint, in order; `undefined` for a read-only one. */
export function targetsOf({ settings, points }: MqttConfig): readonly (Target | undefined)[] {
  const { name: host, reach } = canonicalHost(settings.host)
  return points.map((point) => {
    const { command } = point
    if (!command) return undefined
    const meaning = meaningOf(point, command)
    return {
      space: `mqtt ${host}:${settings.port} ${command.topic}`,
      ...rangeOf(command),
      name: `topic ${excerpt(command.topic)}`,
      reach,
      identity: JSON.stringify([wayOf({ ...settings, host }, point, command), meaning]),
      meaning: JSON.stringify(meaning),
    }
  })
}

const VALUE = '{{value}}'
const RANGES = 2 ** 48

/**
 * Datapoints that send differently shaped messages to one topic set different properties, so each shape has its own
 * range. A bare value does not name its property: it covers all ranges of its topic.
 */
function rangeOf(command: Command): Pick<Target, 'start' | 'end'> {
  const shape = shapeOf(command)
  if (shape === VALUE) return { start: 0, end: RANGES }
  const start = createHash('sha256').update(shape).digest().readUIntBE(0, 6)
  return { start, end: start + 1 }
}

/** Returns the message around the value. In JSON, spaces, key order and quotes around the value make no difference. */
function shapeOf({ pieces }: Command): string {
  for (const text of [pieces.join(VALUE), pieces.join(`"${VALUE}"`)]) {
    const names = new Set<string>()
    const collect = (name: string, value: unknown) => {
      names.add(name)
      return value
    }
    try {
      const document: unknown = JSON.parse(text, collect)
      return typeof document === 'string' ? document : JSON.stringify(document, [...names].sort())
    } catch {
      // Not JSON in this form.
    }
  }
  return pieces.join(VALUE)
}

/** How the equipment is reached. */
function wayOf(settings: MqttSettings, { state, availability }: MqttPoint, command: Command): unknown {
  const { host, port, tls, username, password, ca } = settings
  return [
    ['mqtt', host, port, tls, username ?? null, password ?? null, ca ?? null],
    [availabilityOf(settings.availability), availabilityOf(availability)],
    [command.topic, command.qos, command.retain, state?.topic ?? null],
  ]
}

/** What its messages mean, in both directions. */
function meaningOf({ state }: MqttPoint, command: Command): unknown {
  return [
    ['mqtt', command.pieces, command.quoted, command.decimals ?? null],
    [command.switchValues?.on ?? null, command.switchValues?.off ?? null],
    state ? [state.path?.steps ?? null] : null,
  ]
}

const availabilityOf = (availability: Availability | undefined) =>
  availability && [availability.topic, availability.path?.steps ?? null, availability.online, availability.offline]
