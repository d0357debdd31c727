/**
 * Every topic between cloud and device. Ids and commands are single levels of `[A-Za-z0-9_-]`, so
 * that any MQTT 3.1.1 broker carries them.
 */
const ROOT = 'plantroom'

/** What became of a command: the payload of the reply is its data, or a message when rejected. */
export type ReplyStatus = 'ok' | 'rejected'

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
  /** A cloud process has started: every device says its status again. */
  hello: () => `${ROOT}/hello`,
} as const

/** What a device listens to. */
export const deviceFilters = (deviceId: string) => [
  `${ROOT}/${deviceId}/command/#`,
  `${ROOT}/${deviceId}/time/+`,
  topics.hello(),
]

/** What a cloud process listens to. */
export const cloudFilters = (cloudId: string) => [
  `${ROOT}/+/reply/${cloudId}/+/+`,
  `${ROOT}/+/status`,
  `${ROOT}/+/ask-time/+`,
]

/** May this device publish here? Only what it says about itself. */
export function devicePublishes(deviceId: string, topic: string): boolean {
  const [root, id, kind] = topic.split('/', 3)
  return root === ROOT && id === deviceId && (kind === 'reply' || kind === 'status' || kind === 'ask-time')
}

/** May this device subscribe to this? Only what is addressed to it, and the hello to all. */
export function deviceSubscribes(deviceId: string, filter: string): boolean {
  return deviceFilters(deviceId).includes(filter)
}

export type DeviceMessage =
  | { kind: 'reply'; deviceId: string; correlationId: string; status: ReplyStatus }
  | { kind: 'status'; deviceId: string }
  | { kind: 'askTime'; deviceId: string; asked: string }

/** What a message from a device is, read off its topic alone; `undefined` when it is none of these. */
export function parseDeviceTopic(topic: string): DeviceMessage | undefined {
  const levels = topic.split('/')
  const [root, deviceId, kind, third, correlationId, status] = levels
  if (root !== ROOT || !deviceId) return undefined
  if (kind === 'reply') {
    const whole = levels.length === 6 && third && correlationId && (status === 'ok' || status === 'rejected')
    return whole ? { kind, deviceId, correlationId, status } : undefined
  }
  if (kind === 'status' && levels.length === 3) return { kind, deviceId }
  if (kind === 'ask-time' && levels.length === 4 && third) return { kind: 'askTime', deviceId, asked: third }
  return undefined
}

export type CloudMessage =
  | { kind: 'command'; command: string; cloudId: string; correlationId: string }
  | { kind: 'time'; asked: string }
  | { kind: 'hello' }

/** What a message to a device is, read off its topic alone. */
export function parseCloudTopic(topic: string): CloudMessage | undefined {
  if (topic === topics.hello()) return { kind: 'hello' }
  const [root, , kind, third, fourth, fifth] = topic.split('/')
  if (root !== ROOT || !third) return undefined
  if (kind === 'command' && fourth && fifth) return { kind, command: third, cloudId: fourth, correlationId: fifth }
  if (kind === 'time') return { kind, asked: third }
  return undefined
}
