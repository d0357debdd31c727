import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { cloudFilters, topics } from '@plantroom/contract/topics'
import { connect } from 'mqtt'
import type { BusReceiver, DeviceBus } from './device-bus.ts'

const CONNECT_LIMIT_MS = 15_000

/**
 * The way through a broker that somebody else runs. Once it was there, it connects again by itself for as
 * long as it lives; a broker that is not there at the start is a `Failure`.
 */
export async function openMqttBus(options: { url: string; cloudId: string; log: Log }): Promise<DeviceBus> {
  const { url, cloudId, log } = options
  const opened = Promise.withResolvers<void>()
  let receiver: BusReceiver | undefined
  let listening = false
  const client = connect(url, {
    clientId: cloudId,
    protocolVersion: 4,
    clean: true,
    keepalive: 20,
    reconnectPeriod: 1_000,
    connectTimeout: CONNECT_LIMIT_MS,
    // A command that waited for a broker would reach the device after its caller was told 502.
    queueQoSZero: false,
    resubscribe: false,
  })

  const sayHello = () => client.publish(topics.hello(), '', { qos: 0 })

  client.on('connect', () => {
    const { stream } = client
    if ('setNoDelay' in stream && typeof stream.setNoDelay === 'function') stream.setNoDelay(true)
    client.subscribe(cloudFilters(cloudId), { qos: 1 }, (error) => {
      if (error) {
        log.error({ error: error.message }, 'the broker refused our subscriptions')
        return opened.reject(
          new Error(`it refused our subscriptions (${error.message}); let this user read and write plantroom/#`),
        )
      }
      listening = true
      log.info('connected to the broker')
      sayHello()
      opened.resolve()
    })
  })
  client.on('close', () => {
    listening = false
    receiver?.lost()
    opened.reject(
      new Error('it ended the connection without an answer; is it an MQTT broker, and is it mqtt: or mqtts:?'),
    )
  })
  client.on('error', (error) => {
    log.warn({ error: error.message }, 'broker connection failed')
    opened.reject(error)
  })
  client.on('message', (topic, payload) => receiver?.message(topic, payload))

  try {
    await opened.promise
  } catch (error) {
    client.end(true)
    throw new Failure(
      'unavailable',
      `the broker at MQTT_URL (${new URL(url).host}) cannot be used: ${(error as Error).message}`,
    )
  }

  return {
    get connected() {
      return listening
    },
    send: (_deviceId, topic, payload) => void client.publish(topic, payload, { qos: 0 }),
    receive(next) {
      receiver = next
      sayHello()
    },
    // Not a polite end: for that, a broker that hangs would be waited for.
    close: () => client.endAsync(true),
  }
}
