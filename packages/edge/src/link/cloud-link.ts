import { type Backoff, createBackoff } from '@plantroom/base/backoff'
import { type Clock, every, within } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { brokerAddress } from '@plantroom/contract/broker-url'
import { cloudMisfit, fitOf, readTimeAnswer, type Software } from '@plantroom/contract/software'
import { type Confirmed, deviceFilters, PING, parseCloudTopic, topics } from '@plantroom/contract/topics'
import { connect, type MqttClient } from 'mqtt'
import type { MessageHandler } from '../commands/command.ts'
import type { Uplink } from '../store/confirmed-sender.ts'
import { type CloudTime, createCloudTime } from './cloud-time.ts'
import { createPresence, type Presence } from './presence.ts'
import { runCommand } from './run-command.ts'

const KEEP_ALIVE_S = 20
const ASK_TIME_MS = 10 * 60_000
const ASK_AGAIN_MS = 10_000
const GOODBYE_MS = 2_000
/** Ten thousand controllers that answer a hello in the same instant are more than a broker queues. */
const LONGEST_PAUSE_MS = 1_000

/** The device's connection to the broker: announces the device, runs commands, and carries its reports and measurements. */
export interface CloudLink extends Uplink {
  /** Asks the cloud for its time, also to hear from it. */
  askTime(): void
  /** Announces that the device goes offline, if possible, and disconnects. Safe to call again. */
  close(): Promise<void>
}

/** Receives everything that comes over the link besides commands. */
export interface LinkListener {
  /** The link is up, for the first time or again. Messages in flight may be lost. */
  connected(): void
  /** Anything came from the cloud. */
  heard(): void
  /** A cloud process has started. */
  greeted(): void
  /** The cloud has stored everything sent up to here. */
  confirmed(what: Confirmed, upTo: number): void
  cloudTime(time: number): void
}

interface LinkDeps {
  url: string
  deviceId: string
  secret: string
  /** Looked up by the command's name in the topic. */
  handlers: Readonly<Record<string, MessageHandler>>
  listener: LinkListener
  clock: Clock
  log: Log
  /** Called before a reply is sent, so that a test can end the process at that point. */
  reached?: (point: 'reply:before') => void
  /** Replaces `Math.random` for the backoff and the answer to a hello. */
  random?: () => number
}

interface State extends LinkDeps {
  client: MqttClient
  presence: Presence
  backoff: Backoff
  cloudTime: CloudTime
  /** Why the cloud and this device do not work together. */
  misfit: string | undefined
  cancelSecondQuestion(): void
  cancelReconnect(): void
  cancelAnnouncement(): void
  closed: Promise<void> | undefined
}

/** Connects, and reconnects with backoff until it is closed. The device works without it. */
export function openCloudLink(deps: LinkDeps): CloudLink {
  const { clock } = deps
  const presence = createPresence(deps.deviceId)
  const state: State = {
    ...deps,
    client: connectClient(deps, presence),
    presence,
    backoff: createBackoff(clock, deps.random),
    cloudTime: createCloudTime(clock),
    misfit: undefined,
    cancelSecondQuestion: () => {},
    cancelReconnect: () => {},
    cancelAnnouncement: () => {},
    closed: undefined,
  }
  const { client } = state
  client.on('reconnect', presence.renew)
  client.on('connect', () => onConnect(state))
  client.on('close', () => onClose(state))
  client.on('error', (error) => deps.log.warn({ error: error.message }, 'the broker cannot be used'))
  client.on('message', (topic, payload) => onMessage(state, topic, payload))
  const stopAsking = every(clock, ASK_TIME_MS, () => {
    if (client.connected) askTime(state)
  })

  return {
    get connected() {
      return client.connected
    },
    publish(topic, payload, qos) {
      // The sender repeats unconfirmed batches, so queueing them in the client would only send them twice.
      if (client.connected) client.publish(topic, payload, { qos })
    },
    askTime() {
      if (client.connected) askTime(state)
    },
    close() {
      stopAsking()
      state.closed ??= close(state)
      return state.closed
    },
  }
}

function connectClient({ url, deviceId, secret }: LinkDeps, { will }: Presence): MqttClient {
  return connect({
    ...brokerAddress(url),
    clientId: deviceId,
    username: deviceId,
    password: secret,
    protocolVersion: 4,
    clean: true,
    keepalive: KEEP_ALIVE_S,
    // The client would reconnect at a fixed interval, and not at all after a rejected login.
    reconnectPeriod: 0,
    // Ten thousand TLS handshakes take a broker 11 s (P-256) or more. Giving up earlier would only repeat them.
    connectTimeout: 30_000,
    resubscribe: false,
    // A reply that could not be sent is useless later: its caller has received 502.
    queueQoSZero: false,
    will,
  })
}

function onConnect(state: State): void {
  const { client, deviceId, backoff, listener, log } = state
  const { stream } = client
  backoff.connected()
  if ('setNoDelay' in stream && typeof stream.setNoDelay === 'function') stream.setNoDelay(true)
  client.subscribe(deviceFilters(deviceId), { qos: 0 }, (error) => {
    if (error) {
      log.error({ error: error.message }, 'the broker rejected the subscriptions of this device; check its permissions')
      return
    }
    log.info('connected to the cloud')
    askTime(state)
    announce(state)
    listener.connected()
  })
}

function onClose(state: State): void {
  const { client, backoff, clock, log } = state
  if (state.closed) return
  // The next link announces itself.
  state.cancelAnnouncement()
  const delay = backoff.next()
  log.info({ retryInMs: Math.round(delay) }, 'not connected to the cloud')
  state.cancelReconnect()
  state.cancelReconnect = clock.after(delay, () => void client.reconnect())
}

function onMessage(state: State, topic: string, payload: Buffer): void {
  const message = parseCloudTopic(topic)
  if (message) state.listener.heard()
  if (message?.kind === 'command') void answer(state, message, payload)
  else if (message?.kind === 'time') takeTime(state, message.asked, payload.toString())
  else if (message?.kind === 'confirm') state.listener.confirmed(message.what, message.upTo)
  else if (message?.kind === 'hello') {
    announceSoon(state)
    state.listener.greeted()
  }
}

function announceSoon(state: State): void {
  const { client, clock, random = Math.random } = state
  state.cancelAnnouncement()
  state.cancelAnnouncement = clock.after(random() * LONGEST_PAUSE_MS, () => {
    if (client.connected) announce(state)
  })
}

function announce({ client, deviceId, presence }: State): void {
  client.publish(topics.status(deviceId), presence.status(true), { qos: 1, retain: true })
}

function askTime({ client, deviceId, cloudTime }: State): void {
  client.publish(topics.askTime(deviceId, cloudTime.ask()), '', { qos: 0 })
}

function takeTime(state: State, asked: string, answer: string): void {
  const { client, cloudTime, listener, clock } = state
  const { time, software } = readTimeAnswer(answer)
  meetCloud(state, software)
  if (cloudTime.answered(asked, time)) {
    listener.cloudTime(cloudTime.now())
    return
  }
  state.cancelSecondQuestion()
  state.cancelSecondQuestion = clock.after(ASK_AGAIN_MS, () => {
    if (client.connected) askTime(state)
  })
}

/** Takes in what the cloud says about itself. A cloud that does not fit changes nothing about control. */
function meetCloud(state: State, software: Software): void {
  const fit = fitOf(software)
  const misfit = fit === 'yes' ? undefined : cloudMisfit(software, fit)
  if (misfit !== undefined && misfit !== state.misfit) {
    state.log.error({ reason: misfit }, 'commands are rejected, except cancels; control goes on')
  }
  state.misfit = misfit
}

async function answer(
  state: State,
  message: { command: string; cloudId: string; correlationId: string },
  payload: Buffer,
): Promise<void> {
  const { client, deviceId, presence, handlers, cloudTime, misfit, log } = state
  const reply =
    message.command === PING
      ? { status: 'ok' as const, payload: presence.status(true) }
      : await runCommand(message.command, payload, { handlers, cloudTime, misfit, log })
  state.reached?.('reply:before')
  holdTogether(client.stream)
  const topic = topics.reply(deviceId, message.cloudId, message.correlationId, reply.status)
  client.publish(topic, reply.payload, { qos: 0 })
}

// Sends replies to commands that arrived together in one system call.
function holdTogether(stream: MqttClient['stream']): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  setImmediate(() => stream.uncork())
}

async function close(state: State): Promise<void> {
  state.cancelSecondQuestion()
  state.cancelReconnect()
  state.cancelAnnouncement()
  // A broker that does not answer must not delay the stop. The last will announces the same.
  await within(state.clock, GOODBYE_MS, sayGoodbye(state)).catch(() => {})
  await state.client.endAsync(true)
}

async function sayGoodbye({ client, deviceId, presence }: State): Promise<void> {
  if (!client.connected) return
  await client.publishAsync(topics.status(deviceId), presence.status(false), { qos: 1, retain: true })
}
