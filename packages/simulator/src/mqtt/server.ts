import { type EventEmitter, once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
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

const REPEAT_MS = 1000
const MAX_COMMAND = 1024
const STALLED_CLIENT_MS = 5000

/** Payloads that cannot be read as a state, each for a different reason. */
const GARBAGE = [
  Buffer.of(0xff, 0xfe, 0x80),
  ...['{"value":', '{"value":"warm"}', '[]', 'NaN', '\u0000\u0001', 'null', '{"value":1e999}'].map((text) =>
    Buffer.from(text),
  ),
]

/** The heat pump and the broker it publishes on. */
interface HeatPumpLink {
  readonly aedes: Aedes
  readonly building: LiveBuilding
  readonly log: Log
  faults: MqttFaults
  /** How many payloads were garbage. Selects the next one. */
  garbageSent: number
}

/** Starts an open MQTT broker and a heat pump that uses it. Rejects if the port is in use. */
export async function startMqttServer(options: MqttServerOptions): Promise<MqttServer> {
  const { building, faults, clock, log } = options
  const aedes = await createBroker(log)
  const link: HeatPumpLink = { aedes, building, log, faults, garbageSent: 0 }
  const sockets = new Set<Socket>()
  const server = createBrokerServer(link, sockets)
  try {
    server.listen(options.port, options.host)
    await once(server, 'listening')
  } catch (error) {
    await closeBroker(aedes)
    throw error
  }
  await subscribeToCommands(link)
  await publishAvailability(link)
  await publishStates(link)
  const stopRepeating = every(clock, REPEAT_MS, () => void publishStates(link))

  const { address, port } = server.address() as AddressInfo
  return {
    host: address,
    port,
    misbehave(next) {
      link.faults = next
      void publishAvailability(link).then(() => publishStates(link))
    },
    async stop() {
      stopRepeating()
      const closed = once(server, 'close')
      server.close()
      await publish(link, AVAILABILITY_TOPIC, 'offline')
      await closeBroker(aedes)
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function createBroker(log: Log): Promise<Aedes> {
  // With the default concurrency, one client that does not read would delay all others.
  const aedes = await Aedes.createBroker({ concurrency: 0, drainTimeout: STALLED_CLIENT_MS })
  aedes.on('clientError', (_client, error) => log.debug({ error: error.message }, 'an MQTT client went away'))
  aedes.on('connectionError', (_client, error) => log.debug({ error: error.message }, 'an MQTT client was refused'))
  // Aedes emits this event although its types lack it; without a listener it would end the process.
  const events: EventEmitter = aedes
  events.on('error', (error: Error) => log.error({ error: error.message }, 'the broker failed'))
  return aedes
}

function closeBroker(aedes: Aedes): Promise<void> {
  return new Promise((resolve) => aedes.close(resolve))
}

/** @param sockets receives the connected clients, for as long as they are connected */
function createBrokerServer({ aedes, log }: HeatPumpLink, sockets: Set<Socket>): Server {
  return createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', (error) => log.debug({ error: error.message }, 'an MQTT client went away'))
    aedes.handle(socket)
  })
}

async function subscribeToCommands(link: HeatPumpLink): Promise<void> {
  for (const { command } of STATE_TOPICS) {
    if (!command) continue
    await new Promise<void>((resolve) =>
      link.aedes.subscribe(
        command.topic,
        ({ payload }, done) => {
          obey(link, command, payload)
          done()
        },
        resolve,
      ),
    )
  }
}

function obey(link: HeatPumpLink, { topic, obey }: Command, payload: string | Buffer): void {
  const { building, faults, log } = link
  if (!isWorking(faults) || faults['ignore-commands'] || payload.length > MAX_COMMAND) return
  const changed = obey(building.now(), payload.toString())
  if (!changed) return void log.debug({ topic }, 'the heat pump rejected a command')
  building.change(changed)
  void publishStates(link)
}

async function publishStates(link: HeatPumpLink): Promise<void> {
  const { building, faults } = link
  if (!isWorking(faults)) return
  const now = building.now()
  await Promise.all(
    STATE_TOPICS.map(({ topic, payload }) => publish(link, topic, faults.garbage ? nextGarbage(link) : payload(now))),
  )
}

function nextGarbage(link: HeatPumpLink): Buffer {
  link.garbageSent += 1
  return GARBAGE[link.garbageSent % GARBAGE.length] ?? Buffer.alloc(1)
}

async function publishAvailability(link: HeatPumpLink): Promise<void> {
  const { silent, offline } = link.faults
  if (!silent) await publish(link, AVAILABILITY_TOPIC, offline ? 'offline' : 'online')
}

function publish({ aedes }: HeatPumpLink, topic: string, payload: string | Buffer): Promise<void> {
  return new Promise((resolve) =>
    aedes.publish({ cmd: 'publish', topic, payload, qos: 1, retain: true, dup: false }, () => resolve()),
  )
}

const isWorking = ({ silent, offline }: MqttFaults) => !silent && !offline
