import { createLog } from '@plantroom/base/log'
import { onTestFinished } from 'vitest'
import { type EmbeddedBroker, type EmbeddedBrokerOptions, startEmbeddedBroker } from '../embedded-broker.ts'
import { type Message, OTHER, OURS, secretOf } from './devices.ts'

export interface TestBroker {
  broker: EmbeddedBroker
  url: string
  /** The messages that reached the cloud. */
  received: readonly Message[]
  /** The log lines of the broker, as JSON. */
  logged: readonly string[]
}

/** Starts a broker for two devices, which closes when the test ends. */
export async function startBroker(changes: Partial<EmbeddedBrokerOptions> = {}): Promise<TestBroker> {
  const logged: string[] = []
  const broker = await startEmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    tls: undefined,
    authenticate: (deviceId, secret) => [OURS, OTHER].includes(deviceId) && secret === secretOf(deviceId),
    log: createLog('test', 'info', { write: (line) => void logged.push(line) }),
    ...changes,
  })
  onTestFinished(() => broker.close())
  const received: Message[] = []
  broker.receive({
    message: (topic, payload) => received.push({ topic, text: payload.toString() }),
    lost: () => {},
  })
  return { broker, url: `${changes.tls ? 'mqtts' : 'mqtt'}://127.0.0.1:${broker.port}`, received, logged }
}
