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
  /** A PEM file with the certificates that are trusted in place of the system's. */
  ca: string | undefined
  keepAliveSeconds: number
  /** For opening, and for the acknowledgement of a write. */
  timeoutMs: number
  availability: Availability | undefined
}

/** The topic on which the equipment, or its last will, says whether it is online. */
export interface Availability {
  topic: string
  path: JsonPath | undefined
  online: string
  offline: string
}

/** The words for 1 and 0. */
export interface Words {
  on: Word
  off: Word
}
export type Word = string | number | boolean

export interface State {
  topic: string
  path: JsonPath | undefined
  words: Words | undefined
  maxAgeMs: number | undefined
}

export interface Command {
  topic: string
  /** The payload, split where the value goes. */
  pieces: readonly string[]
  /** True when a word is sent in the quotes of JSON. */
  quoted: boolean
  words: Words | undefined
  decimals: number | undefined
  qos: 0 | 1
  retain: boolean
}

export interface MqttPoint {
  /** For messages. */
  name: string
  /** `undefined`: it can only be written. A `WRITE` datapoint may have one too. */
  state: State | undefined
  /** `undefined`: it can only be read. */
  command: Command | undefined
  availability: Availability | undefined
}

export interface MqttConfig {
  settings: MqttSettings
  points: readonly MqttPoint[]
}

const PLACEHOLDER = '{{value}}'

/** Checks and parses a commissioned connection. The config is complete only where there are no problems. */
export function parseConfig(connection: { settings: Record<string, unknown>; datapoints: readonly PointConfig[] }): {
  config: MqttConfig
  problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const settings = parseSettings(connection.settings, problems)
  const points = connection.datapoints.map((datapoint, index) =>
    parsePoint(datapoint, `datapoints[${index}].data`, problems),
  )
  refuseEchoes(points, settings, problems)
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
  // The caller polls. Here the field is only checked.
  fields.number('pollSeconds', 0.1, 86_400, 1)
  fields.rejectUnknown()
  if (settings.password !== undefined && settings.username === undefined) {
    fields.mistake('password', 'needs a username beside it')
  }
  if (settings.ca !== undefined && !settings.tls) fields.mistake('ca', 'has no meaning without mqtts:// in url')
  return settings
}

function parseUrl(fields: Fields, record: Record<string, unknown>): Pick<MqttSettings, 'host' | 'port' | 'tls'> {
  const value = taken(fields, record, 'url')
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  const tls = url?.protocol === 'mqtts:'
  const isBroker = url?.hostname && (tls || url.protocol === 'mqtt:')
  const hasMore = url && (url.search || url.hash || (url.pathname !== '' && url.pathname !== '/'))
  // The address is not shown: it may hold a password.
  if (url?.username || url?.password) {
    fields.mistake('url', 'must not hold credentials: they belong into username and password')
  } else if (!isBroker || hasMore) {
    const rule = 'must be mqtt://host:port or mqtts://host:port'
    fields.mistake('url', value === undefined ? `is missing: it ${rule}` : rule)
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
    fields.mistake('availability', 'must be an object with topic, online and offline')
    return undefined
  }
  const own = fieldsOf(value as Record<string, unknown>, 'settings.availability', problems)
  const availability = parseAvailability(own, value as Record<string, unknown>, 'topic', 'path')
  own.rejectUnknown()
  if (!availability) own.mistake('topic', 'is missing')
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
  if (online === offline) fields.mistake('offline', 'must differ from online')
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
  const words = parseWords(fields, data)
  const decimals = fields.optionalInteger('decimals', 0, 15)
  const qos = fields.optionalOneOf('qos', [0, 1] as const) ?? 1
  const retain = flag(fields, data, 'retain')
  const availability = parseAvailability(fields, data, 'availabilityTopic', 'availabilityPath')
  fields.rejectUnknown()

  if (readable && data.stateTopic === undefined)
    fields.mistake('stateTopic', `is missing: the datapoint is ${excerpt(accessType)}`)
  if (writable && data.commandTopic === undefined) {
    fields.mistake('commandTopic', `is missing: the datapoint is ${excerpt(accessType)}`)
  }
  if (commandTopic?.startsWith('$SYS/')) {
    fields.mistake('commandTopic', 'begins with $SYS/: what is there belongs to the broker')
  }
  if (words && decimals !== undefined) fields.mistake('decimals', 'has no meaning beside on and off')

  const maxAgeMs = maxAgeSeconds === undefined ? undefined : maxAgeSeconds * 1000
  return {
    name: excerpt(name),
    state: stateTopic !== undefined ? { topic: stateTopic, path, words, maxAgeMs } : undefined,
    command:
      writable && commandTopic !== undefined
        ? { topic: commandTopic, ...form, words, decimals, qos, retain }
        : undefined,
    availability,
  }
}

/** The template if there is one; else the value at `commandPath`, or at `path`; else the value alone. */
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
      fields.mistake('commandTemplate', `must hold ${PLACEHOLDER} where the value goes`)
    if (commandPath) fields.mistake('commandPath', 'has no meaning beside commandTemplate')
    return { pieces: template.split(PLACEHOLDER), quoted: false }
  }
  const used = commandPath ?? path
  if (!used || !writable) return { pieces: ['', ''], quoted: false }
  const pieces = wrapping(used)
  if (!pieces) {
    fields.mistake(
      commandPath ? 'commandPath' : 'path',
      'leads through a list, of which a command would be a part only: say in commandTemplate what to send',
    )
  }
  return { pieces: pieces ?? [], quoted: true }
}

function parseWords(fields: Fields, data: Record<string, unknown>): Words | undefined {
  const [on, off] = [taken(fields, data, 'on'), taken(fields, data, 'off')]
  if (on === undefined && off === undefined) return undefined
  for (const [name, word] of [['on', on] as const, ['off', off] as const]) {
    if (!isWord(word)) fields.mistake(name, 'must be a text, a number, true or false: on and off are given both or not')
  }
  if (!isWord(on) || !isWord(off)) return undefined
  if (String(on) === String(off)) fields.mistake('off', 'must differ from on')
  return { on, off }
}

const isWord = (value: unknown): value is Word =>
  typeof value === 'boolean' || Number.isFinite(value) || (typeof value === 'string' && value.trim() !== '')

/**
 * Refuses command topics that are also subscribed to: each command would come back as the state and seem to be obeyed.
 */
function refuseEchoes(points: readonly MqttPoint[], settings: MqttSettings, problems: Problem[]): void {
  const heard = new Set(
    points.flatMap(({ state, availability }) => [state?.topic, availability?.topic, settings.availability?.topic]),
  )
  for (const [index, { command }] of points.entries()) {
    if (!command || !heard.has(command.topic)) continue
    problems.push({
      path: `datapoints[${index}].data.commandTopic`,
      message: 'is listened to as a state or an availability: what we send would be taken for what the equipment says',
    })
  }
}
