import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt'

export interface Credential {
  username: string
  password: string
}

/** A stranger's own MQTT client: one attempt, which rejects where the broker does not take it. */
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
