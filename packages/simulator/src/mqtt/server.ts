import { type EventEmitter, once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Aedes } from 'aedes'
import { AVAILABILITY_TOPIC, type Command, STATE_TOPICS } from '../building/heat-pump-topics.ts'
import type { LiveBuilding } from '../building/live-building.ts'
import type { MqttFaults } from '../faults.ts'

export interface MqttServer {
  host: string
  /** The port it listens on, even if 0 was requested. */
  port: number
  /** Replaces all faults. */
  misbehave(faults: MqttFaults): void
  stop(): Promise<void>
}

export interface MqttServerOptions {
  host: string
  port: number
  building: LiveBuilding
  faults: MqttFaults
  clock: Clock
  log: Log
}

const SAID_AGAIN_MS = 1000
const MAX_COMMAND = 1024
const STALLED_CLIENT_MS = 5000

/** Payloads that cannot be read as a state, each for a different reason. */
const GARBAGE = [
  Buffer.of(0xff, 0xfe, 0x80),
  ...['{"value":', '{"value":"warm"}', '[]', 'NaN', '\u0000\u0001', 'null', '{"value":1e999}'].map((text) =>
    Buffer.from(text),
  ),
]

/** Starts an open MQTT broker and a heat pump that uses it. Rejects if the port is in use. */
export async function startMqttServer(options: MqttServerOptions): Promise<MqttServer> {
  const { building, clock, log } = options
  let { faults } = options
  let garbageSaid = 0
  // With the default concurrency, one client that does not read would delay all others.
  const aedes = await Aedes.createBroker({ concurrency: 0, drainTimeout: STALLED_CLIENT_MS })
  aedes.on('clientError', (_client, error) => log.debug({ error: error.message }, 'an MQTT client went away'))
  aedes.on('connectionError', (_client, error) => log.debug({ error: error.message }, 'an MQTT client was refused'))
  // Aedes emits this event although its types lack it; without a listener it would end the process.
  const events: EventEmitter = aedes
  events.on('error', (error: Error) => log.error({ error: error.message }, 'the broker failed'))

  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', (error) => log.debug({ error: error.message }, 'an MQTT client went away'))
    aedes.handle(socket)
  })

  const closeBroker = () => new Promise<void>((resolve) => aedes.close(resolve))
  const say = (topic: string, payload: string | Buffer) =>
    new Promise<void>((resolve) =>
      aedes.publish({ cmd: 'publish', topic, payload, qos: 1, retain: true, dup: false }, () => resolve()),
    )
  const works = () => !faults.silent && !faults.offline

  async function sayStates(): Promise<void> {
    if (!works()) return
    const now = building.now()
    await Promise.all(STATE_TOPICS.map(({ topic, payload }) => say(topic, faults.garbage ? garbage() : payload(now))))
  }

  function garbage(): Buffer {
    garbageSaid += 1
    return GARBAGE[garbageSaid % GARBAGE.length] ?? Buffer.alloc(1)
  }

  async function sayAvailability(): Promise<void> {
    if (!faults.silent) await say(AVAILABILITY_TOPIC, faults.offline ? 'offline' : 'online')
  }

  function obey({ topic, obey }: Command, payload: string | Buffer): void {
    if (!works() || faults['ignore-commands'] || payload.length > MAX_COMMAND) return
    const changed = obey(building.now(), payload.toString())
    if (!changed) return void log.debug({ topic }, 'a command that the heat pump does not take')
    building.change(changed)
    void sayStates()
  }

  try {
    server.listen(options.port, options.host)
    await once(server, 'listening')
  } catch (error) {
    await closeBroker()
    throw error
  }
  for (const { command } of STATE_TOPICS) {
    if (!command) continue
    const hear = (payload: string | Buffer, heard: () => void) => {
      obey(command, payload)
      heard()
    }
    await new Promise<void>((resolve) =>
      aedes.subscribe(command.topic, ({ payload }, heard) => hear(payload, heard), resolve),
    )
  }
  await sayAvailability()
  await sayStates()
  const stopSaying = every(clock, SAID_AGAIN_MS, () => void sayStates())

  const { address, port } = server.address() as AddressInfo
  return {
    host: address,
    port,
    misbehave(next) {
      faults = next
      void sayAvailability().then(sayStates)
    },
    async stop() {
      stopSaying()
      const closed = once(server, 'close')
      server.close()
      await say(AVAILABILITY_TOPIC, 'offline')
      await closeBroker()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
