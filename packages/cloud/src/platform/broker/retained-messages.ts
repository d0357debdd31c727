import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { brokerAddress } from '@plantroom/contract/broker-url'
import { MAX_STATUS_BYTES, neverRetainedFilters, parseTopicOwner, topicsOf } from '@plantroom/contract/topics'
import { connectAsync, type MqttClient } from 'mqtt'

const SWEEP_MS = 60_000
/** A removed device may leave its last will when the broker ends its connection, which can be later. */
const REMOVED_MS = 600_000
const CONNECT_LIMIT_MS = 15_000

/** Keeps the broker free of messages that devices must not leave there: everything but the status of existing devices. */
export interface RetainedMessages {
  /** How many messages this process has removed since it started. */
  readonly cleared: number
  /** Removes what this device has left. Call it when the device no longer exists. */
  forget(deviceId: string): void
  /** Looks for messages now. Resolves with the number of removed ones. */
  sweep(): Promise<number>
  close(): Promise<void>
}

interface SweepDeps {
  url: string
  cloudId: string
  clock: Clock
  log: Log
}

/** Most brokers cannot forbid retained messages by topic, so a cloud process looks for them every minute. */
export function startRetainedSweep(deps: SweepDeps): RetainedMessages {
  const { clock, log } = deps
  /** Devices that were removed lately, and until when to look after them. */
  const removed = new Map<string, number>()
  let cleared = 0
  let running: Promise<number> | undefined
  let isWanted = false
  let isClosed = false
  let found = new Set<string>()

  async function sweepOnce(): Promise<number> {
    for (const [deviceId, until] of removed) if (clock.monotonic() >= until) removed.delete(deviceId)
    try {
      const now = await clearRetained(deps, removed)
      // The broker does not report to the sender why it refuses a message.
      const isRefused = [...now.keys()].some((topic) => found.has(topic))
      found = new Set(now.keys())
      cleared += now.size
      if (isRefused)
        log.error('the broker does not let us remove messages of controllers: let our user write plantroom/#')
      else if (now.size > 0) log.warn(describe(now), 'removed messages that controllers had left at the broker')
      return now.size
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!isClosed) log.debug({ error: reason }, 'could not look for messages that controllers left at the broker')
      return 0
    }
  }

  function sweep(): Promise<number> {
    if (running) isWanted = true
    running ??= sweepOnce().finally(() => {
      running = undefined
      if (!isWanted || isClosed) return
      isWanted = false
      void sweep()
    })
    return running
  }

  const stop = every(clock, SWEEP_MS, () => void sweep())
  return {
    get cleared() {
      return cleared
    },
    forget(deviceId) {
      removed.set(deviceId, clock.monotonic() + REMOVED_MS)
      void sweep()
    },
    sweep,
    async close() {
      isClosed = true
      stop()
      await running
    },
  }
}

/** Returns the sizes of the removed messages, by topic. Uses a connection of its own, so that a flood delays no command. */
async function clearRetained(
  { url, cloudId }: SweepDeps,
  removed: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const client = await connectAsync(
    '',
    {
      ...brokerAddress(url),
      ...{ clientId: `${cloudId}_retained`, clean: true, reconnectPeriod: 0, connectTimeout: CONNECT_LIMIT_MS },
    },
    false,
  )
  client.on('error', () => {})
  try {
    return await clearWith(client, removed)
  } finally {
    await client.endAsync(true)
  }
}

async function clearWith(client: MqttClient, removed: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const sent: Promise<unknown>[] = []
  client.on('message', (topic, payload, { retain }) => {
    const owner = parseTopicOwner(topic)
    const isAllowed = owner?.kind === 'status' && !removed.has(owner.deviceId) && payload.length <= MAX_STATUS_BYTES
    if (!retain || payload.length === 0 || !owner || isAllowed) return
    found.set(topic, payload.length)
    sent.push(client.publishAsync(topic, '', { qos: 1, retain: true }))
  })
  const filters = [...neverRetainedFilters, ...[...removed.keys()].map(topicsOf)]
  await client.subscribeAsync(filters, { qos: 0 })
  // Its acknowledgement follows the retained messages.
  await client.unsubscribeAsync(filters)
  await Promise.all(sent)
  return found
}

function describe(found: ReadonlyMap<string, number>): { count: number; bytes: number; devices: string[] } {
  const devices = new Set([...found.keys()].map((topic) => parseTopicOwner(topic)?.deviceId ?? ''))
  let bytes = 0
  for (const size of found.values()) bytes += size
  return { count: found.size, bytes, devices: [...devices].slice(0, 5) }
}
