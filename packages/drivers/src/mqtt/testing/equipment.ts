import { connect, type IPublishPacket, type MqttClient } from 'mqtt'

export interface Heard {
  payload: string
  qos: number
  retain: boolean
}

/** A program such as a heat pump has one: it tells its state on `hp/<name>` and takes commands on `hp/<name>/set`. */
export interface Equipment {
  /** What it holds; it need not have told. */
  readonly values: Map<string, number>
  /** How it takes a command: with an answer, with no more than an answer, or not at all. */
  manner: 'obeys' | 'ignores' | 'is silent'
  /** Sets a value of its own accord, and tells. */
  set(name: string, value: number): Promise<void>
  /** Says anything anywhere, retained unless told otherwise. */
  tell(topic: string, payload: string | Uint8Array, options?: { retain?: boolean; qos?: 0 | 1 }): Promise<void>
  /** The next message that comes, or has come and was not asked for yet. */
  heard(): Promise<Heard>
  /** Breaks off without a word: the broker tells its last will, `offline` on `hp/status`. */
  vanish(): void
  stop(): Promise<void>
}

/** @param shape of the payloads: `{"value":21.5}`, or the number alone */
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
  const values = new Map<string, number>()
  const heard: Heard[] = []
  const waiting: ((message: Heard) => void)[] = []

  const tell: Equipment['tell'] = async (topic, payload, { retain = true, qos = 1 } = {}) => {
    await client.publishAsync(topic, Buffer.from(payload), { qos, retain })
  }

  const tellState = (name: string) => {
    const value = values.get(name)
    return tell(`hp/${name}`, shape === 'json' ? JSON.stringify({ value }) : String(value))
  }

  const equipment: Equipment = {
    values,
    manner: 'obeys',
    tell,
    async set(name, value) {
      values.set(name, value)
      await tellState(name)
    },
    heard: async () => heard.shift() ?? new Promise<Heard>((resolve) => waiting.push(resolve)),
    vanish: () => void client.stream.destroy(),
    stop: () => client.endAsync(true),
  }

  function take(topic: string, payload: Buffer, { qos, retain }: IPublishPacket): void {
    const message = { payload: payload.toString(), qos, retain }
    const waiter = waiting.shift()
    if (waiter) waiter(message)
    else heard.push(message)
    if (equipment.manner === 'is silent') return
    const name = topic.split('/')[1] as string
    const value = Number(shape === 'json' ? JSON.parse(message.payload).value : message.payload)
    if (equipment.manner === 'obeys') values.set(name, value)
    tellState(name).catch(() => {})
  }

  client.on('error', () => {})
  client.on('message', take)
  await new Promise((resolve) => client.once('connect', resolve))
  await client.subscribeAsync('hp/+/set', { qos: 1 })
  return equipment
}
