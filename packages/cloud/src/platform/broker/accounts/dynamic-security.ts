import { createBackoff } from '@plantroom/base/backoff'
import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import type { Log } from '@plantroom/base/log'
import { brokerAddress } from '@plantroom/contract/broker-url'
import { Failure } from '@plantroom/contract/failure'
import { connect, type MqttClient } from 'mqtt'

const REQUESTS = '$CONTROL/dynamic-security/v1'
const RESPONSES = `${REQUESTS}/response`
/** The broker answers within milliseconds, and up to a second while it writes a file with 10,000 accounts. */
const ANSWER_MS = 5_000
const RETRY_AFTER_S = 10

/** A command of Mosquitto's dynamic security plugin. */
export type Command = Readonly<Record<string, unknown>> & { command: string }

/** What the plugin answers to one command. */
export interface Answer {
  command: string
  /** Why the command failed, in the words of the plugin. */
  error?: string
  data?: unknown
}

/** A connection to the dynamic security plugin of a Mosquitto broker. */
export interface DynamicSecurity {
  /** Sends commands together and resolves with one answer each. Rejects with `unavailable` when no answer comes. */
  ask(commands: readonly Command[]): Promise<readonly Answer[]>
  close(): Promise<void>
}

interface Waiting {
  resolve(answers: readonly Answer[]): void
  reject(error: Failure): void
}

/**
 * Connects with the account in the address, and reconnects with backoff until it is closed. Rejects with a `Failure`
 * when the broker cannot be used at the start.
 */
export async function connectDynamicSecurity(options: {
  url: string
  clientId: string
  /** Called after every connect but the first. */
  reconnected(): void
  clock: Clock
  log: Log
}): Promise<DynamicSecurity> {
  const { url, clientId, reconnected, clock, log } = options
  const backoff = createBackoff(clock)
  const waiting = new Map<string, Waiting>()
  const state = { isReady: false, isOpened: false, isClosed: false, cancelReconnect: () => {} }
  const opened = Promise.withResolvers<void>()
  const client = connect({
    ...brokerAddress(url),
    clientId,
    protocolVersion: 4,
    clean: true,
    keepalive: 20,
    reconnectPeriod: 0,
    connectTimeout: 15_000,
    queueQoSZero: false,
    resubscribe: false,
  })

  client.on('connect', () => {
    backoff.connected()
    subscribe(client).then(() => {
      state.isReady = true
      if (state.isOpened) reconnected()
      opened.resolve()
    }, opened.reject)
  })
  client.on('close', () => {
    state.isReady = false
    for (const { reject } of waiting.values()) reject(unavailable('the connection to the broker was lost'))
    state.cancelReconnect()
    if (!state.isClosed) state.cancelReconnect = clock.after(backoff.next(), () => void client.reconnect())
    opened.reject(new Error('it closed the connection'))
  })
  client.on('error', (error) => {
    log.warn({ error: error.message }, 'the connection that manages accounts at the broker failed')
    opened.reject(error)
  })
  client.on('message', (_topic, payload) => {
    const answers = readAnswers(payload)
    waiting.get(answers?.[0]?.correlationData ?? '')?.resolve(answers ?? [])
  })

  function close(): Promise<void> {
    state.isClosed = true
    state.cancelReconnect()
    return client.endAsync(true)
  }

  try {
    await opened.promise
    state.isOpened = true
  } catch (error) {
    await close()
    const reason = error instanceof Error ? error.message : String(error)
    const failure = new Failure('unavailable', `the broker at MQTT_URL does not let us manage accounts: ${reason}`)
    throw Object.assign(failure, { cause: error })
  }

  return {
    close,
    ask(commands) {
      if (!state.isReady) return Promise.reject(unavailable('the broker is not connected'))
      const correlationData = newId('ask')
      const { promise, resolve, reject } = Promise.withResolvers<readonly Answer[]>()
      const cancelTimeout = clock.after(ANSWER_MS, () => {
        reject(unavailable(`the broker did not answer within ${ANSWER_MS / 1_000} s`))
        // A broker that hangs must not execute this later, on a connection that we believe to be good.
        client.stream.destroy()
      })
      waiting.set(correlationData, { resolve, reject })
      client.publish(
        REQUESTS,
        JSON.stringify({ commands: commands.map((command) => ({ ...command, correlationData })) }),
      )
      return promise.finally(() => {
        cancelTimeout()
        waiting.delete(correlationData)
      })
    },
  }
}

function unavailable(problem: string): Failure {
  return new Failure(
    'unavailable',
    `${problem}, so the account of the device cannot be changed: check the broker, then send the request again`,
    undefined,
    { retryAfterS: RETRY_AFTER_S },
  )
}

function subscribe(client: MqttClient): Promise<void> {
  return new Promise((resolve, reject) => {
    client.subscribe(RESPONSES, { qos: 1 }, (error) => {
      if (!error) return resolve()
      reject(new Error(`it refused ${RESPONSES}; load the dynamic security plugin and give this user the role admin`))
    })
  })
}

function readAnswers(payload: Buffer): (Answer & { correlationData?: string })[] | undefined {
  try {
    const { responses } = JSON.parse(payload.toString()) as { responses?: unknown }
    return Array.isArray(responses) ? responses : undefined
  } catch {
    return undefined
  }
}
