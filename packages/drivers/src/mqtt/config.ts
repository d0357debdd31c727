import type { PointConfig, Problem } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { type Fields, fieldsOf } from '../fields.ts'
import { flag, parseJsonPath, parseTopic, taken, text } from './config-fields.ts'
import { type JsonPath, wrapping } from './json-path.ts'

export interface MqttSettings {
  host: string
  port: number
  tls: boolean
  username: string | undefined
  password: string | undefined
  clientId: string | undefined
  /** A PEM file with certificates to trust instead of the system's. */
  ca: string | undefined
  keepAliveSeconds: number
  /** The timeout for opening, and for the acknowledgement of a write. */
  timeoutMs: number
  availability: Availability | undefined
}

/** The topic on which the equipment, or its last will, reports whether it is online. */
export interface Availability {
  topic: string
  path: JsonPath | undefined
  online: string
  offline: string
}

/** The payload values for 1 and 0. */
export interface SwitchValues {
  on: SwitchValue
  off: SwitchValue
}
export type SwitchValue = string | number | boolean

export interface State {
  topic: string
  path: JsonPath | undefined
  switchValues: SwitchValues | undefined
  maxAgeMs: number | undefined
}

export interface Command {
  topic: string
  /** The payload, split where the value goes. */
  pieces: readonly string[]
  /** True if text is sent in JSON quotes. */
  quoted: boolean
  switchValues: SwitchValues | undefined
  decimals: number | undefined
  qos: 0 | 1
  retain: boolean
}

export interface MqttPoint {
  /** The name in messages. */
  name: string
  /** `undefined` if the point cannot be read. A `WRITE` datapoint may have a state too. */
  state: State | undefined
  /** `undefined` if the point is read-only. */
  command: Command | undefined
  availability: Availability | undefined
}

export interface MqttConfig {
  settings: MqttSettings
  points: readonly MqttPoint[]
}

const PLACEHOLDER = '{{value}}'

/** Checks and parses a commissioned connection. The config is complete only if there are no problems. */
export function parseConfig(connection: { settings: Record<string, unknown>; datapoints: readonly PointConfig[] }): {
  config: MqttConfig
  problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const settings = parseSettings(connection.settings, problems)
  const points = connection.datapoints.map((datapoint, index) =>
    parsePoint(datapoint, `datapoints[${index}].data`, problems),
  )
  refuseOverlappingTopics(points, settings, problems)
  return { config: { settings, points }, problems }
}

function parseSettings(record: Record<string, unknown>, problems: Problem[]): MqttSettings {
  const fields = fieldsOf(record, 'settings', problems)
  const broker = parseUrl(fields, record)
  const settings: MqttSettings = {
    ...broker,
    username: text(fields, record, 'username'),
    password: text(fields, record, 'password'),
    clientId: text(fields, record, 'clientId'),
    ca: text(fields, record, 'ca'),
    keepAliveSeconds: fields.integer('keepAliveSeconds', 1, 3600, 15) ?? 15,
    timeoutMs: fields.integer('timeoutMs', 1, 60_000, 5000) ?? 5000,
    availability: parseSharedAvailability(fields, record, problems),
  }
  // The edge polls; the driver only checks the field.
  fields.number('pollSeconds', 0.1, 86_400, 1)
  fields.rejectUnknown()
  if (settings.password !== undefined && settings.username === undefined) {
    fields.problem('password', 'requires a username')
  }
  if (settings.ca !== undefined && !settings.tls) fields.problem('ca', 'requires mqtts:// in url')
  return settings
}

function parseUrl(fields: Fields, record: Record<string, unknown>): Pick<MqttSettings, 'host' | 'port' | 'tls'> {
  const value = taken(fields, record, 'url')
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  const tls = url?.protocol === 'mqtts:'
  const isBroker = url?.hostname && (tls || url.protocol === 'mqtt:')
  const hasMore = url && (url.search || url.hash || (url.pathname !== '' && url.pathname !== '/'))
  // The address is not shown: it may contain a password.
  if (url?.username || url?.password) {
    fields.problem('url', 'must not contain credentials: set username and password')
  } else if (!isBroker || hasMore) {
    const rule = 'must be mqtt://host:port or mqtts://host:port'
    fields.problem('url', value === undefined ? `is missing: it ${rule}` : rule)
  }
  const port = Number(url?.port || (tls ? 8883 : 1883))
  return { host: url?.hostname.replace(/^\[(.*)\]$/, '$1') ?? '', port, tls }
}

function parseSharedAvailability(
  fields: Fields,
  record: Record<string, unknown>,
  problems: Problem[],
): Availability | undefined {
  const value = taken(fields, record, 'availability')
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fields.problem('availability', 'must be an object with topic, online and offline')
    return undefined
  }
  const own = fieldsOf(value as Record<string, unknown>, 'settings.availability', problems)
  const availability = parseAvailability(own, value as Record<string, unknown>, 'topic', 'path')
  own.rejectUnknown()
  if (!availability) own.problem('topic', 'is missing')
  return availability
}

function parseAvailability(
  fields: Fields,
  record: Record<string, unknown>,
  topicName: string,
  pathName: string,
): Availability | undefined {
  const topic = parseTopic(fields, record, topicName)
  const path = parseJsonPath(fields, record, pathName)
  const online = text(fields, record, 'online') ?? 'online'
  const offline = text(fields, record, 'offline') ?? 'offline'
  if (online === offline) fields.problem('offline', 'must differ from online')
  return topic === undefined ? undefined : { topic, path, online, offline }
}

function parsePoint({ name, accessType, data }: PointConfig, at: string, problems: Problem[]): MqttPoint {
  const fields = fieldsOf(data, at, problems)
  const readable = accessType !== 'WRITE'
  const writable = accessType !== 'READ'

  const stateTopic = parseTopic(fields, data, 'stateTopic')
  const commandTopic = parseTopic(fields, data, 'commandTopic')
  const path = parseJsonPath(fields, data, 'path')
  const maxAgeSeconds = fields.optionalInteger('maxAgeSeconds', 1, 31_536_000)
  const form = parseCommandForm(fields, data, path, writable)
  const switchValues = parseSwitchValues(fields, data)
  const decimals = fields.optionalInteger('decimals', 0, 15)
  const qos = fields.optionalOneOf('qos', [0, 1] as const) ?? 1
  const retain = flag(fields, data, 'retain')
  const availability = parseAvailability(fields, data, 'availabilityTopic', 'availabilityPath')
  fields.rejectUnknown()

  if (readable && data.stateTopic === undefined)
    fields.problem('stateTopic', `is missing: the datapoint is ${excerpt(accessType)}`)
  if (writable && data.commandTopic === undefined) {
    fields.problem('commandTopic', `is missing: the datapoint is ${excerpt(accessType)}`)
  }
  if (commandTopic?.startsWith('$SYS/')) {
    fields.problem('commandTopic', 'begins with $SYS/: these topics belong to the broker')
  }
  if (switchValues && decimals !== undefined) fields.problem('decimals', 'cannot be combined with on and off')

  const maxAgeMs = maxAgeSeconds === undefined ? undefined : maxAgeSeconds * 1000
  return {
    name: excerpt(name),
    state: stateTopic !== undefined ? { topic: stateTopic, path, switchValues, maxAgeMs } : undefined,
    command:
      writable && commandTopic !== undefined
        ? { topic: commandTopic, ...form, switchValues, decimals, qos, retain }
        : undefined,
    availability,
  }
}

/** Returns the template if there is one, else the value at `commandPath` or `path`, else the value alone. */
function parseCommandForm(
  fields: Fields,
  data: Record<string, unknown>,
  path: JsonPath | undefined,
  writable: boolean,
): Pick<Command, 'pieces' | 'quoted'> {
  const template = text(fields, data, 'commandTemplate')
  const commandPath = parseJsonPath(fields, data, 'commandPath')
  if (template !== undefined) {
    if (!template.includes(PLACEHOLDER))
      fields.problem('commandTemplate', `must contain ${PLACEHOLDER} in place of the value`)
    if (commandPath) fields.problem('commandPath', 'cannot be combined with commandTemplate')
    return { pieces: template.split(PLACEHOLDER), quoted: false }
  }
  const used = commandPath ?? path
  if (!used || !writable) return { pieces: ['', ''], quoted: false }
  const pieces = wrapping(used)
  if (!pieces) {
    fields.problem(
      commandPath ? 'commandPath' : 'path',
      'contains a list index, which a command cannot address: set commandTemplate instead',
    )
  }
  return { pieces: pieces ?? [], quoted: true }
}

function parseSwitchValues(fields: Fields, data: Record<string, unknown>): SwitchValues | undefined {
  const [on, off] = [taken(fields, data, 'on'), taken(fields, data, 'off')]
  if (on === undefined && off === undefined) return undefined
  for (const [name, word] of [['on', on] as const, ['off', off] as const]) {
    if (!isSwitchValue(word))
      fields.problem(name, 'must be text, a number, true or false; set both on and off or neither')
  }
  if (!isSwitchValue(on) || !isSwitchValue(off)) return undefined
  if (String(on) === String(off)) fields.problem('off', 'must differ from on')
  return { on, off }
}

const isSwitchValue = (value: unknown): value is SwitchValue =>
  typeof value === 'boolean' || Number.isFinite(value) || (typeof value === 'string' && value.trim() !== '')

/**
 * Refuses command topics that the driver also subscribes to: each command would come back as the state and look obeyed.
 */
function refuseOverlappingTopics(points: readonly MqttPoint[], settings: MqttSettings, problems: Problem[]): void {
  const subscribed = new Set(
    points.flatMap(({ state, availability }) => [state?.topic, availability?.topic, settings.availability?.topic]),
  )
  for (const [index, { command }] of points.entries()) {
    if (!command || !subscribed.has(command.topic)) continue
    problems.push({
      path: `datapoints[${index}].data.commandTopic`,
      message: 'is also a state or availability topic: commands would be read as the state of the equipment',
    })
  }
}
