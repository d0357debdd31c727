import { connect, type IPublishPacket, type MqttClient } from 'mqtt'

export interface Command {
  payload: string
  qos: number
  retain: boolean
}

/** A value of the equipment. Whole numbers beyond 2^53 are exact. */
export type Value = number | bigint | string

/** A simple heat pump: it publishes its state on `hp/<name>` and accepts commands on `hp/<name>/set`. */
export interface Equipment {
  /** The current values, whether published or not. */
  readonly values: Map<string, Value>
  /** How it handles a command: sets and publishes the value, only sets it, publishes the old value, or does nothing. */
  behaviour: 'obeys' | 'is mute' | 'ignores' | 'is silent'
  /** Changes a value and publishes it. */
  set(name: string, value: number): Promise<void>
  setText(name: string, value: string): Promise<void>
  /** Publishes any payload on any topic, retained by default. */
  publish(topic: string, payload: string | Uint8Array, options?: { retain?: boolean; qos?: 0 | 1 }): Promise<void>
  /** Resolves to the next command that was not returned before. */
  received(): Promise<Command>
  /** Breaks the connection, so that the broker publishes the last will, `offline` on `hp/status`. */
  disconnect(): void
  stop(): Promise<void>
}

/** @param shape the payload format: `{"value":21.5}`, or the number alone */
export async function startEquipment(
  broker: { port: number },
  shape: 'json' | 'plain' = 'json',
  options: { username?: string; password?: string; protocol?: string; rejectUnauthorized?: boolean } = {},
): Promise<Equipment> {
  const client: MqttClient = connect(`${options.protocol ?? 'mqtt'}://127.0.0.1:${broker.port}`, {
    ...(options as object),
    protocolVersion: 4,
    reconnectPeriod: 0,
    will: { topic: 'hp/status', payload: Buffer.from('offline'), qos: 1, retain: true },
  })
  const values = new Map<string, Value>()
  const received: Command[] = []
  const waiting: ((message: Command) => void)[] = []

  const publish: Equipment['publish'] = async (topic, payload, { retain = true, qos = 1 } = {}) => {
    await client.publishAsync(topic, Buffer.from(payload), { qos, retain })
  }

  const publishState = (name: string) => {
    const value = values.get(name)
    const json = typeof value === 'bigint' ? String(value) : JSON.stringify(value)
    return publish(`hp/${name}`, shape === 'json' ? `{"value":${json}}` : String(value))
  }

  async function hold(name: string, value: Value): Promise<void> {
    values.set(name, value)
    await publishState(name)
  }

  const equipment: Equipment = {
    values,
    behaviour: 'obeys',
    publish,
    set: hold,
    setText: hold,
    received: async () => received.shift() ?? new Promise<Command>((resolve) => waiting.push(resolve)),
    disconnect: () => void client.stream.destroy(),
    stop: () => client.endAsync(true),
  }

  function take(topic: string, payload: Buffer, { qos, retain }: IPublishPacket): void {
    const message = { payload: payload.toString(), qos, retain }
    const waiter = waiting.shift()
    if (waiter) waiter(message)
    else received.push(message)
    if (equipment.behaviour === 'is silent') return
    const name = topic.split('/')[1] as string
    const text = shape === 'json' ? (/^\{"value":"?([^"]*)"?\}$/.exec(message.payload)?.[1] ?? '') : message.payload
    if (equipment.behaviour !== 'ignores') values.set(name, parseValue(text))
    if (equipment.behaviour !== 'is mute') publishState(name).catch(() => {})
  }

  client.on('error', () => {})
  client.on('message', take)
  await new Promise((resolve) => client.once('connect', resolve))
  await client.subscribeAsync('hp/+/set', { qos: 1 })
  return equipment
}

function parseValue(text: string): Value {
  const value = Number(text)
  if (Number.isNaN(value)) return text
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(text) : value
}
