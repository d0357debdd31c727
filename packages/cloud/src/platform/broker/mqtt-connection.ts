import { createBackoff } from '@plantroom/base/backoff'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { brokerAddress } from '@plantroom/contract/broker-url'
import { connect, type IClientOptions, type MqttClient } from 'mqtt'

const CONNECT_LIMIT_MS = 15_000
/** A connection that ends sooner, several times in a row, was probably taken over by another client. */
const SHORT_LIVED_MS = 10_000
const EVICTIONS = 3

/** Names the likely cause and the remedy. */
export const EVICTED =
  'the broker closes our connection soon after every connect, most likely because another client has our client id; let the cloud use a listener without use_username_as_clientid'

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

export interface MqttConnection {
  readonly client: MqttClient
  /** True while the client is connected and `prepare` has succeeded. */
  readonly isListening: boolean
  /** The broker has ended the latest connections soon after they began. */
  readonly isEvicted: boolean
  close(): Promise<void>
}

interface ConnectionOptions {
  url: string
  clientId: string
  will?: IClientOptions['will']
  clock: Clock
  log: Log
  /** Subscribes. Rejects when the broker cannot be used. */
  prepare(client: MqttClient): Promise<void>
  /** The connection is up and prepared, for the first time or again. */
  up(): void
  lost(): void
  message(topic: string, payload: Buffer, isRetained: boolean): void
}

interface State {
  isListening: boolean
  isClosed: boolean
  connectedAt: number | undefined
  /** Short-lived connections in a row. */
  shortLived: number
  cancelReconnect(): void
}

/** Connects to a broker and reconnects with backoff until it is closed. Rejects when that fails at the start. */
export async function openMqttConnection(options: ConnectionOptions): Promise<MqttConnection> {
  const { url, clientId, will, clock, log } = options
  const state: State = {
    isListening: false,
    isClosed: false,
    connectedAt: undefined,
    shortLived: 0,
    cancelReconnect: () => {},
  }
  const opened = Promise.withResolvers<void>()
  const client = connect({ ...brokerAddress(url), ...OPTIONS, clientId, ...(will && { will }) })
  follow(client, state, options, opened)

  function close(): Promise<void> {
    state.isClosed = true
    state.cancelReconnect()
    // Forced: a graceful end would wait for a broker that hangs.
    return client.endAsync(true)
  }

  client.on('error', (error) => {
    log.warn({ error: error.message }, 'the connection to the broker failed')
    opened.reject(error)
  })
  try {
    await opened.promise
  } catch (error) {
    void close()
    throw error
  }
  return {
    client,
    get isListening() {
      return state.isListening
    },
    get isEvicted() {
      if (state.shortLived < EVICTIONS) return false
      // Otherwise the count would stay until the next loss, although the connection lasts now.
      const isLasting = state.connectedAt !== undefined && clock.monotonic() - state.connectedAt >= SHORT_LIVED_MS
      return !isLasting
    },
    close,
  }
}

function follow(
  client: MqttClient,
  state: State,
  { clock, log, prepare, up, lost, message }: ConnectionOptions,
  opened: PromiseWithResolvers<void>,
): void {
  const backoff = createBackoff(clock)
  client.on('connect', () => {
    backoff.connected()
    state.connectedAt = clock.monotonic()
    const { stream } = client
    if ('setNoDelay' in stream && typeof stream.setNoDelay === 'function') stream.setNoDelay(true)
    prepare(client).then(() => {
      if (state.isClosed || client.stream !== stream || !client.connected) return
      state.isListening = true
      up()
      opened.resolve()
    }, opened.reject)
  })
  client.on('close', () => {
    const wasListening = state.isListening
    state.isListening = false
    if (wasListening) countShortLived(state, clock, log)
    state.connectedAt = undefined
    lost()
    state.cancelReconnect()
    if (!state.isClosed) state.cancelReconnect = clock.after(backoff.next(), () => void client.reconnect())
    opened.reject(
      new Error('it closed the connection without an answer; is it an MQTT broker, and is it mqtt: or mqtts:?'),
    )
  })
  client.on('message', (topic, payload, packet) => message(topic, payload, packet.retain))
}

function countShortLived(state: State, clock: Clock, log: Log): void {
  if (state.isClosed || state.connectedAt === undefined) return
  const lasted = clock.monotonic() - state.connectedAt
  state.shortLived = lasted < SHORT_LIVED_MS ? state.shortLived + 1 : 0
  if (state.shortLived === EVICTIONS) log.error(EVICTED)
}
