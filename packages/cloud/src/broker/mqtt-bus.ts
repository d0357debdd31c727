import { createBackoff } from '@plantroom/base/backoff'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { cloudFilters, topics } from '@plantroom/contract/topics'
import { connect } from 'mqtt'
import type { BusReceiver, DeviceBus } from './device-bus.ts'

const CONNECT_LIMIT_MS = 15_000

/**
 * Connects to a broker that another program runs, and reconnects with backoff until it is closed. Rejects with a
 * `Failure` when the broker cannot be used at the start.
 */
export async function openMqttBus(options: {
  url: string
  cloudId: string
  clock: Clock
  log: Log
}): Promise<DeviceBus> {
  const { url, cloudId, clock, log } = options
  const backoff = createBackoff(clock)
  let cancelReconnect = () => {}
  let closed = false
  const opened = Promise.withResolvers<void>()
  let receiver: BusReceiver | undefined
  let listening = false
  const client = connect(url, {
    clientId: cloudId,
    protocolVersion: 4,
    clean: true,
    keepalive: 20,
    // The client would reconnect in a fixed rhythm, and not at all after a refused login.
    reconnectPeriod: 0,
    connectTimeout: CONNECT_LIMIT_MS,
    // A command that waited for the broker would reach the device after its caller received 502.
    queueQoSZero: false,
    resubscribe: false,
  })

  function stopReconnecting(): void {
    closed = true
    cancelReconnect()
  }

  const sayHello = () => client.publish(topics.hello(), '', { qos: 0 })

  client.on('connect', () => {
    backoff.connected()
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
    cancelReconnect()
    if (!closed) cancelReconnect = clock.after(backoff.next(), () => void client.reconnect())
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
    stopReconnecting()
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
    // Forced: a graceful end would wait for a broker that hangs.
    close() {
      stopReconnecting()
      return client.endAsync(true)
    },
  }
}
