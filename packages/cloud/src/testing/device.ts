import { newId } from '@plantroom/base/ids'
import { deviceFilters, parseCloudTopic, type ReplyStatus, topics } from '@plantroom/contract/topics'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'

/** Returns the answer of a test device; `undefined` for no answer. */
export type Answering = (
  command: string,
  envelope: Record<string, unknown>,
) => { status: ReplyStatus; payload: string } | undefined

export interface TestDevice {
  client: MqttClient
  link: string
  /** Breaks the connection, like a device that loses power. */
  vanish(): void
  close(): Promise<void>
}

/** A device that follows the contract by hand, so that the cloud is not tested against our own edge. */
export async function connectDevice(
  mqttUrl: string,
  device: { deviceId: string; deviceSecret: string },
  answering: Answering = () => undefined,
  options: IClientOptions = {},
): Promise<TestDevice> {
  const { deviceId } = device
  const link = newId('link')
  const status = (online: boolean) => JSON.stringify({ online, link })
  const client = await connectAsync(mqttUrl, {
    clientId: deviceId,
    username: deviceId,
    password: device.deviceSecret,
    clean: true,
    protocolVersion: 4,
    reconnectPeriod: 0,
    will: { topic: topics.status(deviceId), payload: Buffer.from(status(false)), qos: 1, retain: true },
    ...options,
  })
  client.on('error', () => {})
  client.on('message', (topic, payload) => {
    const message = parseCloudTopic(topic)
    if (message?.kind === 'hello') client.publish(topics.status(deviceId), status(true), { qos: 1, retain: true })
    if (message?.kind !== 'command') return
    const answer = answering(message.command, JSON.parse(payload.toString()))
    if (!answer) return
    client.publish(topics.reply(deviceId, message.cloudId, message.correlationId, answer.status), answer.payload)
  })
  await client.subscribeAsync(deviceFilters(deviceId))
  await client.publishAsync(topics.status(deviceId), status(true), { qos: 1, retain: true })
  return {
    client,
    link,
    vanish: () => void client.stream.destroy(),
    close: () => client.endAsync(true),
  }
}
