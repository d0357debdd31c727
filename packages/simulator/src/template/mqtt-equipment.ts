import type { Clock } from '@plantroom/base/clock'
import type { CommissionedDatapoint } from '@plantroom/contract/commissioning'
import type { Broker } from '../mqtt/broker.ts'
import { createFallbacks } from './fallbacks.ts'
import type { SimulatedPoint } from './start-values.ts'

const VALUE = '{{value}}'
const STEP = /[^.[\]"]+/g

/** What a datapoint of a template says about its topics. */
interface Topics {
  stateTopic?: string
  path?: string
  commandTopic?: string
  commandTemplate?: string
  on?: string | number | boolean
  off?: string | number | boolean
}

interface Availability {
  topic: string
  online?: string
}

/** Publishes the states of a template on its topics, obeys its commands, and publishes what they change. */
export async function startTemplateEquipment(
  broker: Broker,
  points: readonly SimulatedPoint[],
  availability: Availability | undefined,
  clock: Clock,
): Promise<{ raw(name: string): number | undefined; stop(): void }> {
  const values = new Map(points.map(({ datapoint, raw }) => [datapoint.name, raw]))
  const publish = async (topic: string) => broker.publish(topic, stateOn(topic, points, values))
  const fallbacks = createFallbacks(points, clock, show)

  function show(name: string, value: number): void {
    values.set(name, value)
    const { stateTopic } = topicsOf(points.find(({ datapoint }) => datapoint.name === name)?.datapoint)
    if (stateTopic !== undefined) void publish(stateTopic)
  }

  for (const { datapoint } of points) {
    const { commandTopic } = topicsOf(datapoint)
    if (commandTopic === undefined) continue
    await broker.subscribe(commandTopic, (payload) => {
      const value = valueIn(datapoint, payload.toString())
      if (value === undefined) return
      show(datapoint.name, value)
      fallbacks.written(datapoint.name, value)
    })
  }
  if (availability) await broker.publish(availability.topic, availability.online ?? 'online')
  const topics = new Set(points.flatMap(({ datapoint }) => topicsOf(datapoint).stateTopic ?? []))
  for (const topic of topics) await publish(topic)
  return { raw: (name) => values.get(name), stop: fallbacks.stop }
}

const topicsOf = (datapoint: CommissionedDatapoint | undefined) => (datapoint?.data ?? {}) as Topics

/** The payload of a topic: one value, or a JSON document with all values that are on it. */
function stateOn(topic: string, points: readonly SimulatedPoint[], values: ReadonlyMap<string, number>): string {
  const on = points.filter(({ datapoint }) => topicsOf(datapoint).stateTopic === topic)
  const document = {}
  for (const { datapoint } of on) {
    const { path, ...words } = topicsOf(datapoint)
    const shown = wordOf(words, values.get(datapoint.name) ?? 0)
    if (path === undefined) return String(shown)
    setAt(document, path.match(STEP) ?? [], shown)
  }
  const [first] = on
  const isList = first && topicsOf(first.datapoint).path?.startsWith('[')
  return JSON.stringify(isList ? Object.assign([], document) : document)
}

const wordOf = ({ on, off }: Topics, value: number) => (on === undefined ? value : value === 0 ? off : on)

function setAt(into: Record<string, unknown>, [step = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[step] = value
  else {
    const below = (into[step] ?? {}) as Record<string, unknown>
    into[step] = below
    setAt(below, rest, value)
  }
}

/** Returns the value in a command; `undefined` for a payload of another form. */
function valueIn(datapoint: CommissionedDatapoint, payload: string): number | undefined {
  const { commandTemplate = VALUE, on, off } = topicsOf(datapoint)
  const [before = '', after = ''] = commandTemplate.split(VALUE)
  if (!payload.startsWith(before) || !payload.endsWith(after)) return undefined
  const word = payload.slice(before.length, payload.length - after.length)
  if (on !== undefined) return word === String(on) ? 1 : word === String(off) ? 0 : undefined
  return Number.isFinite(Number(word)) && word !== '' ? Number(word) : undefined
}
