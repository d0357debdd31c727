/**
 * Every topic between cloud and device. Ids and commands are single levels of `[A-Za-z0-9_-]`, so
 * that any MQTT 3.1.1 broker carries them.
 */
const ROOT = 'plantroom'

/** The outcome of a command: the payload of the reply is its data, or a message when it was rejected. */
export type ReplyStatus = 'ok' | 'rejected'

/** What the cloud confirms to a device. The device keeps it until then. */
export type Confirmed = 'reports' | 'measurements'

export const topics = {
  command: (deviceId: string, command: string, cloudId: string, correlationId: string) =>
    `${ROOT}/${deviceId}/command/${command}/${cloudId}/${correlationId}`,
  reply: (deviceId: string, cloudId: string, correlationId: string, status: ReplyStatus) =>
    `${ROOT}/${deviceId}/reply/${cloudId}/${correlationId}/${status}`,
  /** Retained, and the device's last will. */
  status: (deviceId: string) => `${ROOT}/${deviceId}/status`,
  /** A device asks for the cloud's time; the topic of the answer repeats `asked`. */
  askTime: (deviceId: string, asked: string) => `${ROOT}/${deviceId}/ask-time/${asked}`,
  time: (deviceId: string, asked: string) => `${ROOT}/${deviceId}/time/${asked}`,
  /** Audit entries and archived values, repeated until the cloud confirms them after its commit. */
  reports: (deviceId: string) => `${ROOT}/${deviceId}/reports`,
  measurements: (deviceId: string) => `${ROOT}/${deviceId}/measurements`,
  confirm: (deviceId: string, what: Confirmed, upTo: number) => `${ROOT}/${deviceId}/confirm/${what}/${upTo}`,
  /** Live values that a device pushes. */
  broadcast: (deviceId: string) => `${ROOT}/${deviceId}/broadcast`,
  /** What a device says about itself: after a change, when it connects, and every 5 minutes. */
  health: (deviceId: string) => `${ROOT}/${deviceId}/health`,
  /** Holds, overrides and connections of a device: after a change, when it connects, and every 5 minutes. */
  state: (deviceId: string) => `${ROOT}/${deviceId}/state`,
  /** A cloud process has started: every device repeats its status. */
  hello: () => `${ROOT}/hello`,
  /** Between cloud processes: a heartbeat, and the last will of a process. */
  cloudAlive: (cloudId: string) => `${ROOT}/cloud/${cloudId}/alive`,
  /** A cloud process writes to itself, to find out what the broker can do: first a question, then the control. */
  cloudProbe: (cloudId: string, what: 'question' | 'control') => `${ROOT}/cloud/${cloudId}/probe/${what}`,
} as const

/** A command that every device answers with its status (`DeviceStatus`). Earlier software rejects it, which is an answer too. */
export const PING = 'ping'

/** The filters that a device subscribes to. */
export const deviceFilters = (deviceId: string) => [
  `${ROOT}/${deviceId}/command/#`,
  `${ROOT}/${deviceId}/time/+`,
  `${ROOT}/${deviceId}/confirm/+/+`,
  topics.hello(),
]

/** The status of every device. */
export const statusFilter = `${ROOT}/+/status`

/** What a cloud process subscribes to, besides statuses, batches and broadcasts. */
export const cloudFilters = (cloudId: string) => [
  `${ROOT}/+/reply/${cloudId}/+/+`,
  `${ROOT}/+/ask-time/+`,
  `${ROOT}/cloud/+/alive`,
]

/** Batches, each of which one cloud process stores. */
export const batchFilters = [`${ROOT}/+/reports`, `${ROOT}/+/measurements`]

/**
 * What every cloud process receives: broadcasts, which any may have followers of, and health and state, whose order one
 * process alone would not see.
 */
export const forAllFilters = [`${ROOT}/+/broadcast`, `${ROOT}/+/health`, `${ROOT}/+/state`]

/** What devices publish, with the number of levels that follow. */
const PUBLISHED_BY_DEVICES: ReadonlyMap<string, number> = new Map([
  ['reply', 3],
  ['status', 0],
  ['ask-time', 1],
  ['reports', 0],
  ['measurements', 0],
  ['broadcast', 0],
  ['health', 0],
  ['state', 0],
])

/** Every topic of ours. */
export const EVERY_TOPIC = `${ROOT}/#`

/** The topics of one device, in both directions. */
export const topicsOf = (deviceId: string) => `${ROOT}/${deviceId}/#`

/** Filters for the topics that a device may publish to. */
export const publishedBy = (deviceId: string) =>
  [...PUBLISHED_BY_DEVICES].map(([kind, levels]) => `${ROOT}/${deviceId}/${kind}${'/+'.repeat(levels)}`)

/** What no device may leave at the broker as a retained message: everything but its status. Also covers earlier access rules. */
export const neverRetainedFilters = [...PUBLISHED_BY_DEVICES.keys()]
  .filter((kind) => kind !== 'status')
  .map((kind) => `${ROOT}/+/${kind}/#`)

/** A status is one JSON object of a few fields. */
export const MAX_STATUS_BYTES = 4096

/** The device of a topic in either direction, and what the topic is for; `undefined` for topics that are not ours. */
export function parseTopicOwner(topic: string): { deviceId: string; kind: string } | undefined {
  const [root, deviceId, kind] = topic.split('/', 3)
  return root === ROOT && deviceId && kind ? { deviceId, kind } : undefined
}

/** Whether a device may publish to a topic: only to its own. */
export function devicePublishes(deviceId: string, topic: string): boolean {
  const [root, id, kind = '', ...rest] = topic.split('/')
  return root === ROOT && id === deviceId && PUBLISHED_BY_DEVICES.get(kind) === rest.length
}

/** Whether a device may subscribe to a filter: only to its own, and to the hello. */
export function deviceSubscribes(deviceId: string, filter: string): boolean {
  return deviceFilters(deviceId).includes(filter)
}

export type DeviceMessage =
  | { kind: 'reply'; deviceId: string; correlationId: string; status: ReplyStatus }
  | { kind: 'status'; deviceId: string }
  | { kind: 'askTime'; deviceId: string; asked: string }
  | { kind: 'reports' | 'measurements' | 'broadcast' | 'health' | 'state'; deviceId: string }

/** Parses the topic of a message from a device; `undefined` for any other topic. */
export function parseDeviceTopic(topic: string): DeviceMessage | undefined {
  const levels = topic.split('/')
  const [root, deviceId, kind, third, correlationId, status] = levels
  if (root !== ROOT || !deviceId) return undefined
  if (kind === 'reply') {
    const whole = levels.length === 6 && third && correlationId && (status === 'ok' || status === 'rejected')
    return whole ? { kind, deviceId, correlationId, status } : undefined
  }
  if (levels.length === 3 && isPlain(kind)) return { kind, deviceId }
  if (kind === 'ask-time' && levels.length === 4 && third) return { kind: 'askTime', deviceId, asked: third }
  return undefined
}

type Plain = 'status' | 'reports' | 'measurements' | 'broadcast' | 'health' | 'state'
const PLAIN: ReadonlySet<Plain> = new Set<Plain>(['status', 'reports', 'measurements', 'broadcast', 'health', 'state'])

function isPlain(kind: string | undefined): kind is Plain {
  return PLAIN.has(kind as Plain)
}

/** The cloud process that sent a heartbeat; `undefined` for any other topic. */
export function parseCloudAlive(topic: string): string | undefined {
  const [root, cloud, cloudId, alive, ...rest] = topic.split('/')
  return root === ROOT && cloud === 'cloud' && alive === 'alive' && rest.length === 0 ? cloudId : undefined
}

export type CloudMessage =
  | { kind: 'command'; command: string; cloudId: string; correlationId: string }
  | { kind: 'time'; asked: string }
  | { kind: 'confirm'; what: Confirmed; upTo: number }
  | { kind: 'hello' }

/** Parses the topic of a message to a device; `undefined` for any other topic. */
export function parseCloudTopic(topic: string): CloudMessage | undefined {
  if (topic === topics.hello()) return { kind: 'hello' }
  const [root, , kind, third, fourth, fifth] = topic.split('/')
  if (root !== ROOT || !third) return undefined
  if (kind === 'command' && fourth && fifth) return { kind, command: third, cloudId: fourth, correlationId: fifth }
  if (kind === 'time') return { kind, asked: third }
  if (kind === 'confirm' && (third === 'reports' || third === 'measurements') && /^\d+$/.test(fourth ?? '')) {
    return { kind, what: third, upTo: Number(fourth) }
  }
  return undefined
}
