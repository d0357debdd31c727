import { createBackoff } from '@plantroom/base/backoff'
import { type Clock, every } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import type { Log } from '@plantroom/base/log'
import type { DeviceStatus } from '@plantroom/contract/presence'
import { type Confirmed, deviceFilters, parseCloudTopic, topics } from '@plantroom/contract/topics'
import { connect, type MqttClient } from 'mqtt'
import type { CommandHandlers } from '../commands/command.ts'
import type { Uplink } from '../store/confirmed-sender.ts'
import { within } from '../within.ts'
import { createCloudTime } from './cloud-time.ts'
import { runCommand } from './run-command.ts'

const KEEP_ALIVE_S = 20
const ASK_TIME_MS = 10 * 60_000
const ASK_AGAIN_MS = 10_000
const GOODBYE_MS = 2_000

/** The device's connection to the broker: announces the device, runs commands, and carries its reports and measurements. */
export interface CloudLink extends Uplink {
  /** Announces that the device goes offline where that is possible. Safe to call again. */
  close(): Promise<void>
}

/** Receives what comes over the link beside commands. */
export interface LinkListener {
  /** The link is up, for the first time or again: messages in flight may be lost. */
  connected(): void
  /** The cloud has stored what was sent, up to here. */
  confirmed(what: Confirmed, upTo: number): void
  cloudTime(time: number): void
}

/** Connects, and reconnects with backoff until it is closed; the device does its work without it. */
export function openCloudLink(deps: {
  url: string
  deviceId: string
  secret: string
  handlers: CommandHandlers
  listener: LinkListener
  clock: Clock
  log: Log
  /** Called before a reply is sent, so that a test can end the process right there. */
  reached?: (point: 'reply:before') => void
  /** Replaces `Math.random` for the backoff. */
  random?: () => number
}): CloudLink {
  const { url, deviceId, secret, handlers, listener, clock, log, reached = () => {} } = deps
  const backoff = createBackoff(clock, deps.random)
  const cloudTime = createCloudTime(clock)
  let link = newId('link')
  let cancelSecondQuestion = () => {}
  let cancelReconnect = () => {}
  let closed: Promise<void> | undefined

  const status = (online: boolean) => JSON.stringify({ online, link } satisfies DeviceStatus)
  const will = { topic: topics.status(deviceId), payload: Buffer.from(status(false)), qos: 1 as const, retain: true }

  const client = connect(url, {
    clientId: deviceId,
    username: deviceId,
    password: secret,
    protocolVersion: 4,
    clean: true,
    keepalive: KEEP_ALIVE_S,
    // The client would reconnect in a fixed rhythm, and not at all after a refused login.
    reconnectPeriod: 0,
    connectTimeout: 10_000,
    resubscribe: false,
    // A reply that could not be sent is useless later: its caller has received 502.
    queueQoSZero: false,
    will,
  })

  const announce = () => void client.publish(topics.status(deviceId), status(true), { qos: 1, retain: true })
  const askTime = () => void client.publish(topics.askTime(deviceId, cloudTime.ask()), '', { qos: 0 })

  client.on('reconnect', () => {
    link = newId('link')
    will.payload = Buffer.from(status(false))
  })
  client.on('connect', () => {
    const { stream } = client
    backoff.connected()
    if ('setNoDelay' in stream && typeof stream.setNoDelay === 'function') stream.setNoDelay(true)
    client.subscribe(deviceFilters(deviceId), { qos: 0 }, (error) => {
      if (error) return log.error({ error: error.message }, 'the broker refused the subscriptions of this device')
      log.info('connected to the cloud')
      askTime()
      announce()
      listener.connected()
    })
  })
  client.on('close', () => {
    if (closed) return
    const delay = backoff.next()
    log.info({ retryInMs: Math.round(delay) }, 'not connected to the cloud')
    cancelReconnect()
    cancelReconnect = clock.after(delay, () => void client.reconnect())
  })
  client.on('error', (error) => log.warn({ error: error.message }, 'the broker cannot be used'))
  client.on('message', (topic, payload) => {
    const message = parseCloudTopic(topic)
    if (message?.kind === 'command') void answer(message, payload)
    else if (message?.kind === 'time') takeTime(message.asked, Number.parseInt(payload.toString(), 10))
    else if (message?.kind === 'confirm') listener.confirmed(message.what, message.upTo)
    else if (message?.kind === 'hello') announce()
  })

  function takeTime(asked: string, time: number): void {
    if (cloudTime.answered(asked, time)) {
      listener.cloudTime(cloudTime.now())
      return
    }
    cancelSecondQuestion()
    cancelSecondQuestion = clock.after(ASK_AGAIN_MS, () => {
      if (client.connected) askTime()
    })
  }

  async function answer(message: { command: string; cloudId: string; correlationId: string }, payload: Buffer) {
    const reply = await runCommand(message.command, payload, { handlers, cloudTime, log })
    reached('reply:before')
    holdTogether(client.stream)
    client.publish(topics.reply(deviceId, message.cloudId, message.correlationId, reply.status), reply.payload, {
      qos: 0,
    })
  }

  // Replies to commands that came together leave together, in one system call.
  function holdTogether(stream: MqttClient['stream']): void {
    if (stream.writableCorked > 0) return
    stream.cork()
    setImmediate(() => stream.uncork())
  }

  const stopAsking = every(clock, ASK_TIME_MS, () => {
    if (client.connected) askTime()
  })

  async function close(): Promise<void> {
    stopAsking()
    cancelSecondQuestion()
    cancelReconnect()
    // A broker that does not answer must not delay the stop: the will says the same.
    await within(clock, GOODBYE_MS, sayGoodbye()).catch(() => {})
    await client.endAsync(true)
  }

  async function sayGoodbye(): Promise<void> {
    if (!client.connected) return
    await client.publishAsync(topics.status(deviceId), status(false), { qos: 1, retain: true })
  }

  return {
    get connected() {
      return client.connected
    },
    publish(topic, payload, qos) {
      // The sender repeats what the cloud does not confirm, so the client's queue would only send it twice.
      if (client.connected) client.publish(topic, payload, { qos })
    },
    close() {
      closed ??= close()
      return closed
    },
  }
}
