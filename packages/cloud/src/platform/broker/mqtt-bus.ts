import { type Clock, within } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import {
  batchFilters,
  cloudFilters,
  forAllFilters,
  MAX_STATUS_BYTES,
  parseCloudAlive,
  parseDeviceTopic,
  statusFilter,
  topics,
} from '@plantroom/contract/topics'
import type { MqttClient } from 'mqtt'
import { type BatchOwners, createBatchOwners, LEAVING } from './batch-owners.ts'
import type { BusReceiver, DeviceBus } from './device-bus.ts'
import { EVICTED, type MqttConnection, openMqttConnection } from './mqtt-connection.ts'
import { createSharingProbe, shared } from './shared-subscriptions.ts'

const LEAVE_MS = 1_000

interface BusOptions {
  url: string
  cloudId: string
  /** The same for all processes of one service, and known to no device: some brokers let any client join a group. */
  batchGroup: string
  clock: Clock
  log: Log
}

interface BusState {
  receiver: BusReceiver | undefined
  /** Each batch reaches one process. Otherwise `owners` decides. */
  isShared: boolean
  /** Batches belong to the other processes. */
  hasLeft: boolean
}

/**
 * Connects to an external broker and reconnects with backoff until it is closed. Replies, presence and time have a
 * connection of their own, so that a minute's burst of batches delays no command and costs no device its presence.
 * Rejects with a `Failure` when the broker cannot be used at the start.
 */
export async function openMqttBus(options: BusOptions): Promise<DeviceBus> {
  const { url, cloudId, batchGroup, clock, log } = options
  const state: BusState = { receiver: undefined, isShared: false, hasLeft: false }
  const parts = new AsyncDisposableStack()
  let urgent: MqttConnection | undefined
  let batches: MqttConnection | undefined
  const owners = createBatchOwners({
    cloudId,
    clock,
    announce(payload) {
      // A process that receives no batches must not own any.
      const isTaking = batches?.isListening && !state.hasLeft
      if (!urgent?.isListening || !(isTaking || payload === LEAVING)) return false
      urgent.client.publish(topics.cloudAlive(cloudId), payload, { qos: 0 })
      return true
    },
    unheard: () =>
      log.warn('the broker keeps cloud processes apart, and each stores everything; let them use plantroom/cloud/#'),
  })
  try {
    urgent = await openUrgent(options, state, owners)
    parts.defer(urgent.close)
    parts.defer(async () => owners.close())
    batches = await openBatches(options, state, owners)
    parts.defer(batches.close)
    if (!urgent.isListening) throw new Error(EVICTED)
    return createBus({ state, batchGroup, clock, log, urgent, batches, owners, parts })
  } catch (error) {
    owners.close()
    await parts.disposeAsync()
    const reason = error instanceof Error ? error.message : String(error)
    const failure = new Failure(
      'unavailable',
      `the broker at MQTT_URL (${new URL(url).host}) cannot be used: ${reason}`,
    )
    throw Object.assign(failure, { cause: error })
  }
}

function createBus(deps: {
  state: BusState
  batchGroup: string
  clock: Clock
  log: Log
  urgent: MqttConnection
  batches: MqttConnection
  owners: BatchOwners
  parts: AsyncDisposableStack
}): DeviceBus {
  const { state, batchGroup, clock, log, urgent, batches, owners, parts } = deps
  return {
    get connected() {
      return urgent.isListening
    },
    get problem() {
      if (urgent.isEvicted || batches.isEvicted) return EVICTED
      return urgent.isListening && batches.isListening ? undefined : 'not connected'
    },
    send: (_deviceId, topic, payload) => void urgent.client.publish(topic, payload, { qos: 0 }),
    receive(receiver) {
      state.receiver = receiver
      if (urgent.isListening) void greet(urgent.client, receiver, log)
    },
    async askStatus(deviceIds) {
      const filters = deviceIds.map(topics.status)
      await urgent.client.subscribeAsync(filters, { qos: 0 })
      // Its acknowledgement follows the retained messages.
      await urgent.client.unsubscribeAsync(filters)
    },
    async leave() {
      state.hasLeft = true
      owners.close()
      const done = batches.isListening ? batches.client.unsubscribeAsync(filtersOf(state, batchGroup)) : undefined
      // A broker that does not answer must not delay the stop.
      if (done) await within(clock, LEAVE_MS, done).catch(() => {})
    },
    close: () => parts.disposeAsync(),
  }
}

function openUrgent(
  { url, cloudId, clock, log }: BusOptions,
  state: BusState,
  owners: BatchOwners,
): Promise<MqttConnection> {
  let client: MqttClient | undefined
  return openMqttConnection({
    url,
    clientId: cloudId,
    clock,
    log,
    will: { topic: topics.cloudAlive(cloudId), payload: LEAVING, qos: 0, retain: false },
    async prepare(connected) {
      client = connected
      await subscribe(client, cloudFilters(cloudId), log)
    },
    up() {
      log.info('connected to the broker')
      if (client && state.receiver) void greet(client, state.receiver, log)
    },
    lost: () => state.receiver?.lost(),
    message(topic, payload, isRetained) {
      if (payload.length > MAX_STATUS_BYTES && isStatus(topic)) {
        // The broker would keep it.
        client?.publish(topic, '', { qos: 0, retain: true })
        return
      }
      const id = parseCloudAlive(topic)
      if (id === undefined) state.receiver?.message(topic, payload, isRetained)
      else owners.heard(id, payload)
    },
  })
}

/** For what devices repeat until it is confirmed, and for what every process receives. */
function openBatches({ url, cloudId, batchGroup, clock, log }: BusOptions, state: BusState, owners: BatchOwners) {
  const probe = createSharingProbe({ cloudId, batchGroup, clock })
  return openMqttConnection({
    url,
    clientId: `${cloudId}_batches`,
    clock,
    log,
    async prepare(client) {
      state.isShared = await probe.ask(client)
      await subscribe(client, [...forAllFilters, ...(state.hasLeft ? [] : filtersOf(state, batchGroup))], log)
    },
    up: () => log.info({ shared: state.isShared }, 'receiving batches'),
    lost() {},
    message(topic, payload) {
      // Empty: a retained message was removed.
      if (probe.receive(topic) || payload.length === 0) return
      if (!state.isShared && isBatch(topic) && !owners.owns(topic.split('/')[1] ?? '')) return
      state.receiver?.message(topic, payload, false)
    },
  })
}

const filtersOf = ({ isShared }: BusState, group: string) =>
  isShared ? batchFilters.map((filter) => shared(filter, group)) : batchFilters

const isStatus = (topic: string) => parseDeviceTopic(topic)?.kind === 'status'

const isBatch = (topic: string) => topic.endsWith('/reports') || topic.endsWith('/measurements')

/** Asks the broker and every device for its status. Only now: before, nobody would receive the answers. */
async function greet(client: MqttClient, receiver: BusReceiver, log: Log): Promise<void> {
  try {
    await subscribe(client, [statusFilter], log)
    client.publish(topics.hello(), '', { qos: 0 })
    receiver.found?.()
  } catch {
    // Logged. Without a connection, the next one does the same.
  }
}

/**
 * At QoS 0. A connection without a stored session loses what is on its way at any QoS, and at QoS 1 brokers drop what
 * exceeds a short queue.
 */
function subscribe(client: MqttClient, filters: readonly string[], log: Log): Promise<void> {
  return new Promise((resolve, reject) => {
    client.subscribe([...filters], { qos: 0 }, (error) => {
      if (!error) return resolve()
      log.error({ error: error.message }, 'the broker refused our subscriptions')
      reject(new Error(`it refused our subscriptions (${error.message}); let this user read and write plantroom/#`))
    })
  })
}
