import { createBackoff } from '@plantroom/base/backoff'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { cloudFilters, topics } from '@plantroom/contract/topics'
import { connect, type IClientOptions, type MqttClient } from 'mqtt'
import type { BusReceiver, DeviceBus } from './device-bus.ts'

const CONNECT_LIMIT_MS = 15_000

const OPTIONS = {
  protocolVersion: 4,
  clean: true,
  keepalive: 20,
  // The client would reconnect at a fixed interval, and never after a refused login. We reconnect with backoff.
  reconnectPeriod: 0,
  connectTimeout: CONNECT_LIMIT_MS,
  // A command that waited for the broker would reach the device after its caller received 502.
  queueQoSZero: false,
  resubscribe: false,
} as const satisfies IClientOptions

interface BusState {
  receiver: BusReceiver | undefined
  /** True while the client is connected and subscribed. */
  isListening: boolean
  isClosed: boolean
  cancelReconnect(): void
}

/**
 * Connects to an external broker and reconnects with backoff until it is closed. Rejects with a `Failure` when the
 * broker cannot be used at the start.
 */
export async function openMqttBus(options: {
  url: string
  cloudId: string
  clock: Clock
  log: Log
}): Promise<DeviceBus> {
  const { url, cloudId, clock, log } = options
  const backoff = createBackoff(clock)
  const state: BusState = { receiver: undefined, isListening: false, isClosed: false, cancelReconnect: () => {} }
  const opened = Promise.withResolvers<void>()
  const client = connect(url, { ...OPTIONS, clientId: cloudId })

  function stopReconnecting(): void {
    state.isClosed = true
    state.cancelReconnect()
  }

  client.on('connect', () => {
    backoff.connected()
    const { stream } = client
    if ('setNoDelay' in stream && typeof stream.setNoDelay === 'function') stream.setNoDelay(true)
    subscribe(client, cloudId, log).then(() => {
      state.isListening = true
      log.info('connected to the broker')
      sayHello(client)
      opened.resolve()
    }, opened.reject)
  })
  client.on('close', () => {
    state.isListening = false
    state.receiver?.lost()
    state.cancelReconnect()
    if (!state.isClosed) state.cancelReconnect = clock.after(backoff.next(), () => void client.reconnect())
    opened.reject(
      new Error('it closed the connection without an answer; is it an MQTT broker, and is it mqtt: or mqtts:?'),
    )
  })
  client.on('error', (error) => {
    log.warn({ error: error.message }, 'the connection to the broker failed')
    opened.reject(error)
  })
  client.on('message', (topic, payload) => state.receiver?.message(topic, payload))

  try {
    await opened.promise
  } catch (error) {
    stopReconnecting()
    client.end(true)
    const reason = error instanceof Error ? error.message : String(error)
    throw new Failure('unavailable', `the broker at MQTT_URL (${new URL(url).host}) cannot be used: ${reason}`)
  }

  return {
    get connected() {
      return state.isListening
    },
    send: (_deviceId, topic, payload) => void client.publish(topic, payload, { qos: 0 }),
    receive(receiver) {
      state.receiver = receiver
      sayHello(client)
    },
    // Forced: a graceful end would wait for a broker that hangs.
    close() {
      stopReconnecting()
      return client.endAsync(true)
    },
  }
}

/** Asks every device for its status. */
const sayHello = (client: MqttClient) => client.publish(topics.hello(), '', { qos: 0 })

function subscribe(client: MqttClient, cloudId: string, log: Log): Promise<void> {
  return new Promise((resolve, reject) => {
    client.subscribe(cloudFilters(cloudId), { qos: 1 }, (error) => {
      if (!error) return resolve()
      log.error({ error: error.message }, 'the broker refused our subscriptions')
      reject(new Error(`it refused our subscriptions (${error.message}); let this user read and write plantroom/#`))
    })
  })
}
