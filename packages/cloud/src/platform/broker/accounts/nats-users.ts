import { deviceFilters, EVERY_TOPIC, publishedBy } from '@plantroom/contract/topics'

/** NATS delivers QoS 1 messages of its MQTT clients here. */
const DELIVERIES = '$MQTT.sub.>'

/** With another protocol a user could read what NATS keeps for its MQTT clients. */
const ONLY_MQTT = ['MQTT']

export interface NatsUser {
  user: string
  /** A bcrypt hash. */
  password: string
}

/** The content of the file: one user per line, so that a difference is easy to read. */
export function describeUsers(cloud: NatsUser, devices: readonly NatsUser[]): string {
  const lines = [
    '# Written by Plantroom for NATS. Changes are lost: Plantroom replaces the file whenever devices change.',
    'users: [',
    describeUser(cloud, { publish: [EVERY_TOPIC], subscribe: [EVERY_TOPIC] }),
    ...devices.map((device) =>
      describeUser(device, { publish: publishedBy(device.user), subscribe: deviceFilters(device.user) }),
    ),
    ']',
  ]
  return `${lines.join('\n')}\n`
}

function describeUser(
  { user, password }: NatsUser,
  filters: Record<'publish' | 'subscribe', readonly string[]>,
): string {
  const permissions = {
    publish: { allow: filters.publish.flatMap(toSubjects) },
    subscribe: { allow: [...filters.subscribe.flatMap(toSubjects), DELIVERIES] },
  }
  return `  ${JSON.stringify({ user, password, permissions, allowed_connection_types: ONLY_MQTT })}`
}

/** Returns the subjects of NATS for a filter of MQTT. "#" also stands for the level above it, ">" does not. */
export function toSubjects(filter: string): string[] {
  const subject = filter.replaceAll('/', '.').replaceAll('+', '*').replace(/#$/, '>')
  return subject.endsWith('.>') ? [subject.slice(0, -2), subject] : [subject]
}

/** Returns the hash of a user in a file that `describeUsers` made. */
export function findPassword(file: string, user: string): string | undefined {
  const start = `  ${JSON.stringify({ user }).slice(0, -1)},"password":"`
  const line = file.split('\n').find((one) => one.startsWith(start))
  return line?.slice(start.length).split('"', 1)[0]
}
