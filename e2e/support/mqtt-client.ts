import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'

export interface Credential {
  username: string
  password: string
}

/** Connects an independent MQTT client once. Rejects when the broker refuses it. */
export async function connectMqtt(
  url: string,
  credential: Credential,
  options: IClientOptions = {},
): Promise<MqttClient & AsyncDisposable> {
  const client = await connectAsync(
    url,
    {
      clientId: credential.username,
      ...credential,
      protocolVersion: 4,
      reconnectPeriod: 0,
      connectTimeout: 10_000,
      ...options,
    },
    false,
  )
  client.on('error', () => {})
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.endAsync(true) })
}
