/**
 * Every topic between cloud and device. Ids and commands are single levels of `[A-Za-z0-9_-]`, so
 * that any MQTT 3.1.1 broker carries them.
 */
const ROOT = 'plantroom'

/** What became of a command: the payload of the reply is its data, or a message when rejected. */
export type ReplyStatus = 'ok' | 'rejected'

/** What the cloud confirms to a device, which forgets it then and not before. */
export type Confirmed = 'reports' | 'measurements'

export const topics = {
  command: (deviceId: string, command: string, cloudId: string, correlationId: string) =>
    `${ROOT}/${deviceId}/command/${command}/${cloudId}/${correlationId}`,
  reply: (deviceId: string, cloudId: string, correlationId: string, status: ReplyStatus) =>
    `${ROOT}/${deviceId}/reply/${cloudId}/${correlationId}/${status}`,
  /** Retained, and the device's last will. */
  status: (deviceId: string) => `${ROOT}/${deviceId}/status`,
  /** A device asks what time it is in the cloud; `asked` comes back in the answer's topic. */
  askTime: (deviceId: string, asked: string) => `${ROOT}/${deviceId}/ask-time/${asked}`,
  time: (deviceId: string, asked: string) => `${ROOT}/${deviceId}/time/${asked}`,
  /** Entries of the audit, archived values: each sent again until the cloud has confirmed it, after its commit. */
  reports: (deviceId: string) => `${ROOT}/${deviceId}/reports`,
  measurements: (deviceId: string) => `${ROOT}/${deviceId}/measurements`,
  confirm: (deviceId: string, what: Confirmed, upTo: number) => `${ROOT}/${deviceId}/confirm/${what}/${upTo}`,
  /** Live values that a device pushes unprompted. */
  broadcast: (deviceId: string) => `${ROOT}/${deviceId}/broadcast`,
  /** A cloud process has started: every device says its status again. */
  hello: () => `${ROOT}/hello`,
} as const

/** What a device listens to. */
export const deviceFilters = (deviceId: string) => [
  `${ROOT}/${deviceId}/command/#`,
  `${ROOT}/${deviceId}/time/+`,
  `${ROOT}/${deviceId}/confirm/+/+`,
  topics.hello(),
]

/** What a cloud process listens to. */
export const cloudFilters = (cloudId: string) => [
  `${ROOT}/+/reply/${cloudId}/+/+`,
  `${ROOT}/+/status`,
  `${ROOT}/+/ask-time/+`,
  `${ROOT}/+/reports`,
  `${ROOT}/+/measurements`,
  `${ROOT}/+/broadcast`,
]

const SAID_BY_DEVICES: ReadonlySet<string> = new Set([
  'reply',
  'status',
  'ask-time',
  'reports',
  'measurements',
  'broadcast',
])

/** May this device publish here? Only what it says about itself. */
export function devicePublishes(deviceId: string, topic: string): boolean {
  const [root, id, kind = ''] = topic.split('/', 3)
  return root === ROOT && id === deviceId && SAID_BY_DEVICES.has(kind)
}

/** May this device subscribe to this? Only what is addressed to it, and the hello to all. */
export function deviceSubscribes(deviceId: string, filter: string): boolean {
  return deviceFilters(deviceId).includes(filter)
}

export type DeviceMessage =
  | { kind: 'reply'; deviceId: string; correlationId: string; status: ReplyStatus }
  | { kind: 'status'; deviceId: string }
  | { kind: 'askTime'; deviceId: string; asked: string }
  | { kind: 'reports' | 'measurements' | 'broadcast'; deviceId: string }

/** What a message from a device is, read off its topic alone; `undefined` when it is none of these. */
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

function isPlain(kind: string | undefined) {
  return kind === 'status' || kind === 'reports' || kind === 'measurements' || kind === 'broadcast'
}

export type CloudMessage =
  | { kind: 'command'; command: string; cloudId: string; correlationId: string }
  | { kind: 'time'; asked: string }
  | { kind: 'confirm'; what: Confirmed; upTo: number }
  | { kind: 'hello' }

/** What a message to a device is, read off its topic alone. */
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
