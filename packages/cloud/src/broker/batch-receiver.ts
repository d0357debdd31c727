import type { Log } from '@plantroom/base/log'
import { type Confirmed, topics } from '@plantroom/contract/topics'
import type { DeviceBus } from './device-bus.ts'

/** Per device, besides the batch being stored. */
const MAX_QUEUED_BATCHES = 3
/** For all devices together: after an outage they all send at the same time. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024
/** Each uses a database connection while it is stored, and other requests need some too. */
const MAX_RUNNING = 4

const EMPTY = Buffer.alloc(0)

/** A batch after validation. */
export interface ReadBatch<Items> {
  items: Items
  /** The position that the confirmation names. */
  upTo: number
  /** Why single items were rejected. They count as confirmed: sending them again would not help. */
  rejected: readonly string[]
}

export interface BatchReceiver {
  receive(deviceId: string, payload: Buffer): void
  /** How many new items were stored since the start. */
  readonly stored: number
  /** Resolves when no batch is being stored. Devices send queued batches again. */
  close(): Promise<void>
}

interface BatchReceiverDeps<Items> {
  kind: Confirmed
  bus: Pick<DeviceBus, 'send'>
  log: Log
  /** Returns `undefined` when the payload is not a batch. */
  read(deviceId: string, batch: unknown): ReadBatch<Items> | undefined
  /** Resolves with the number of new items. */
  store(deviceId: string, items: Items): Promise<number>
}

interface State {
  queued: Map<string, Buffer[]>
  running: Map<string, Promise<void>>
  queuedBytes: number
  stored: number
  closed: boolean
}

/**
 * Receives batches that devices resend until they are confirmed. Batches of one device are stored in order, and each is
 * confirmed only after `store` resolved. When storing fails, the batches queued behind it are dropped too: the device
 * sends again from its oldest unconfirmed item.
 */
export function createBatchReceiver<Items>(deps: BatchReceiverDeps<Items>): BatchReceiver {
  const { kind, log } = deps
  const state: State = { queued: new Map(), running: new Map(), queuedBytes: 0, stored: 0, closed: false }
  return {
    receive(deviceId, payload) {
      const before = state.queued.get(deviceId) ?? []
      const isFull = before.length >= MAX_QUEUED_BATCHES || state.queuedBytes + payload.length > MAX_QUEUED_BYTES
      if (state.closed || isFull) return log.debug({ device: deviceId, kind }, 'too busy: dropped a batch')
      state.queuedBytes += payload.length
      state.queued.set(deviceId, [...before, payload])
      startQueued(state, deps)
    },
    get stored() {
      return state.stored
    },
    async close() {
      state.closed = true
      state.queued.clear()
      await Promise.all(state.running.values())
    },
  }
}

function startQueued<Items>(state: State, deps: BatchReceiverDeps<Items>): void {
  while (state.running.size < MAX_RUNNING) {
    const deviceId = nextDevice(state)
    if (deviceId === undefined) return
    const [payload = EMPTY, ...rest] = state.queued.get(deviceId) ?? []
    state.queuedBytes -= payload.length
    // Moves to the end of the queue, so that a device that sends a lot does not block the others.
    state.queued.delete(deviceId)
    if (rest.length > 0) state.queued.set(deviceId, rest)
    const done = storeBatch(state, deps, deviceId, payload).then(() => {
      state.running.delete(deviceId)
      startQueued(state, deps)
    })
    state.running.set(deviceId, done)
  }
}

/** The device that has waited longest and has no batch being stored. */
function nextDevice({ queued, running }: State): string | undefined {
  for (const deviceId of queued.keys()) if (!running.has(deviceId)) return deviceId
  return undefined
}

async function storeBatch<Items>(
  state: State,
  deps: BatchReceiverDeps<Items>,
  deviceId: string,
  payload: Buffer,
): Promise<void> {
  const { kind, bus, log } = deps
  try {
    const batch = deps.read(deviceId, parse(payload))
    if (!batch) return log.warn({ device: deviceId, kind }, 'ignored a payload that is not a batch')
    const { items, upTo, rejected } = batch
    if (rejected.length > 0) {
      log.warn({ device: deviceId, kind, count: rejected.length, first: rejected[0] }, 'rejected items of a batch')
    }
    state.stored += await deps.store(deviceId, items)
    bus.send(deviceId, topics.confirm(deviceId, kind, upTo), EMPTY)
  } catch (error) {
    dropQueued(state, deviceId)
    const reason = error instanceof Error ? error.message : String(error)
    log.error({ device: deviceId, kind, error: reason }, 'could not store a batch; the device will send it again')
  }
}

function dropQueued(state: State, deviceId: string): void {
  for (const payload of state.queued.get(deviceId) ?? []) state.queuedBytes -= payload.length
  state.queued.delete(deviceId)
}

function parse(payload: Buffer): unknown {
  try {
    return JSON.parse(payload.toString())
  } catch {
    return undefined
  }
}
