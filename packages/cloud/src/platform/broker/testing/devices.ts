import { deviceFilters } from '@plantroom/contract/topics'
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { onTestFinished } from 'vitest'

export const OURS = 'dev_ours'
export const OTHER = 'dev_other'
export const secretOf = (deviceId: string) => `the secret of ${deviceId}`

export interface Message {
  topic: string
  text: string
}

/** Connects once as this device; rejects when the broker refuses. */
export async function connectAs(url: string, deviceId: string, options: IClientOptions = {}): Promise<MqttClient> {
  const settings = {
    clientId: deviceId,
    username: deviceId,
    password: secretOf(deviceId),
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    ...options,
  } as const
  const client = await connectAsync(url, settings, false)
  client.on('error', () => {})
  onTestFinished(() => client.endAsync(true))
  return client
}

/** Connects and subscribes to the messages for this device. */
export async function joinAs(url: string, deviceId: string, options: IClientOptions = {}): Promise<MqttClient> {
  const client = await connectAs(url, deviceId, options)
  await client.subscribeAsync(deviceFilters(deviceId))
  return client
}

/** The messages this client receives from now on. */
export function listenTo(client: MqttClient): readonly Message[] {
  const messages: Message[] = []
  client.on('message', (topic, payload) => messages.push({ topic, text: payload.toString() }))
  return messages
}

/** Resolves when the broker has closed this connection. */
export const ended = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => {
    if (client.connected) client.once('close', () => resolve())
    else resolve()
  })
