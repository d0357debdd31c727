import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { cloudFilters, topics } from '@plantroom/contract/topics'
import { connect } from 'mqtt'
import type { BusReceiver, DeviceBus } from './device-bus.ts'

const FIRST_CONNECT_MS = 15_000

/** The way through a broker that somebody else runs. It connects again by itself for as long as it lives. */
export async function openMqttBus(options: { url: string; cloudId: string; log: Log }): Promise<DeviceBus> {
  const { url, cloudId, log } = options
  let receiver: BusReceiver | undefined
  const client = connect(url, {
    clientId: cloudId,
    protocolVersion: 4,
    clean: true,
    keepalive: 20,
    reconnectPeriod: 1_000,
    connectTimeout: FIRST_CONNECT_MS,
    // A command that waited for a broker would reach the device after its caller was told 502.
    queueQoSZero: false,
    resubscribe: false,
  })

  const sayHello = () => client.publish(topics.hello(), '', { qos: 0 })

  client.on('connect', () => {
    const { stream } = client
    if ('setNoDelay' in stream && typeof stream.setNoDelay === 'function') stream.setNoDelay(true)
    client.subscribe(cloudFilters(cloudId), { qos: 1 }, (error) => {
      if (error) return log.error({ error: error.message }, 'the broker refused our subscriptions')
      log.info('connected to the broker')
      sayHello()
    })
  })
  client.on('close', () => receiver?.lost())
  client.on('error', (error) => log.warn({ error: error.message }, 'broker connection failed'))
  client.on('message', (topic, payload) => receiver?.message(topic, payload))

  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', (error) => {
      client.end(true)
      reject(
        new Failure('unavailable', `the broker at MQTT_URL (${new URL(url).host}) cannot be reached: ${error.message}`),
      )
    })
  })

  return {
    get connected() {
      return client.connected
    },
    send: (_deviceId, topic, payload) => void client.publish(topic, payload, { qos: 0 }),
    receive(next) {
      receiver = next
      sayHello()
    },
    close: () => client.endAsync(),
  }
}
