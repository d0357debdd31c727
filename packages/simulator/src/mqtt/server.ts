import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { AVAILABILITY_TOPIC, type Command, STATE_TOPICS } from '../building/heat-pump-topics.ts'
import type { LiveBuilding } from '../building/live-building.ts'
import type { MqttFaults } from '../faults.ts'
import { type Broker, startBroker } from './broker.ts'

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

/** Payloads that cannot be read as a state, each for a different reason. */
const GARBAGE = [
  Buffer.of(0xff, 0xfe, 0x80),
  ...['{"value":', '{"value":"warm"}', '[]', 'NaN', '\u0000\u0001', 'null', '{"value":1e999}'].map((text) =>
    Buffer.from(text),
  ),
]

/** The heat pump and the broker it publishes on. */
interface HeatPumpLink {
  readonly broker: Broker
  readonly building: LiveBuilding
  readonly log: Log
  faults: MqttFaults
  /** How many payloads were garbage. Selects the next one. */
  garbageSent: number
}

/** Starts an open MQTT broker and a heat pump that uses it. Rejects if the port is in use. */
export async function startMqttServer(options: MqttServerOptions): Promise<MqttServer> {
  const { building, faults, clock, log } = options
  const broker = await startBroker({ host: options.host, port: options.port, log })
  const link: HeatPumpLink = { broker, building, log, faults, garbageSent: 0 }
  await subscribeToCommands(link)
  await publishAvailability(link)
  await publishStates(link)
  const stopRepeating = every(clock, REPEAT_MS, () => void publishStates(link))

  return {
    host: broker.host,
    port: broker.port,
    misbehave(next) {
      link.faults = next
      void publishAvailability(link).then(() => publishStates(link))
    },
    async stop() {
      stopRepeating()
      await broker.publish(AVAILABILITY_TOPIC, 'offline')
      await broker.stop()
    },
  }
}

async function subscribeToCommands(link: HeatPumpLink): Promise<void> {
  for (const { command } of STATE_TOPICS) {
    if (command) await link.broker.subscribe(command.topic, (payload) => obey(link, command, payload))
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
    STATE_TOPICS.map(({ topic, payload }) =>
      link.broker.publish(topic, faults.garbage ? nextGarbage(link) : payload(now)),
    ),
  )
}

function nextGarbage(link: HeatPumpLink): Buffer {
  link.garbageSent += 1
  return GARBAGE[link.garbageSent % GARBAGE.length] ?? Buffer.alloc(1)
}

async function publishAvailability(link: HeatPumpLink): Promise<void> {
  const { silent, offline } = link.faults
  if (!silent) await link.broker.publish(AVAILABILITY_TOPIC, offline ? 'offline' : 'online')
}

const isWorking = ({ silent, offline }: MqttFaults) => !silent && !offline
