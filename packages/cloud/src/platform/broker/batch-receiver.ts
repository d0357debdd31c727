import type { Log } from '@plantroom/base/log'
import { type Confirmed, topics } from '@plantroom/contract/topics'
import type { DeviceBus } from './device-bus.ts'
import type { Intake } from './intake.ts'

/** Per device, besides the batch being stored. */
const MAX_QUEUED_BATCHES = 3
/** For all devices together: after an outage they all send at the same time. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024
/** One commit is prepared while the other runs. Each uses a database connection, and other requests need some too. */
const MAX_COMMITS = 2
/**
 * A commit has at most one batch of each device, and no more than this in all. Reading so much takes a few milliseconds, which
 * is how long a command may wait for it.
 */
const MAX_COMMIT_BATCHES = 100
const MAX_COMMIT_BYTES = 256 * 1024
/** So many failures in a row are the database's and not the devices'. */
const MAX_FAILURES = 10

/** What a payload that is no batch counts as: a large batch, because reading it costs as much. */
const ROWS_OF_NO_BATCH = 1_000

const EMPTY = Buffer.alloc(0)

/** A batch after validation. */
export interface ReadBatch<Items> {
  items: Items
  /** How many rows it takes to store. */
  rows: number
  /** The position that the confirmation names. */
  upTo: number
  /** Why single items were rejected. They count as confirmed: sending them again would not help. */
  rejected: readonly string[]
}

export interface DeviceBatch<Items> {
  deviceId: string
  items: Items
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
  /** Bounds what each device may store; no bounds by default. */
  intake?: Intake | undefined
  /** Returns `undefined` when the payload is not a batch. */
  read(deviceId: string, batch: unknown): ReadBatch<Items> | undefined
  /** Stores the batches of different devices, all or none. Resolves with the number of new items. */
  store(batches: readonly DeviceBatch<Items>[]): Promise<number>
}

interface State {
  queued: Map<string, Buffer[]>
  queuedBytes: number
  /** The devices of the running commits. */
  busy: Set<string>
  commits: Set<Promise<void>>
  /** Devices whose last batch could not be stored, although others could. They are stored alone. */
  suspects: Set<string>
  stored: number
  closed: boolean
}

type Payload = { deviceId: string; payload: Buffer }
type Waiting<Items> = DeviceBatch<Items> & { upTo: number }

/**
 * Receives batches that devices resend until they are confirmed. What waits while a commit runs is stored together in
 * the next one, and confirmed only after `store` resolved. Batches of one device are stored in order. When storing
 * fails, the batches queued behind it are dropped too: the device sends again from its oldest unconfirmed item.
 */
export function createBatchReceiver<Items>(deps: BatchReceiverDeps<Items>): BatchReceiver {
  const { kind, log } = deps
  const state: State = {
    queued: new Map(),
    queuedBytes: 0,
    busy: new Set(),
    commits: new Set(),
    suspects: new Set(),
    stored: 0,
    closed: false,
  }
  return {
    receive(deviceId, payload) {
      const before = state.queued.get(deviceId) ?? []
      const isFull = before.length >= MAX_QUEUED_BATCHES || state.queuedBytes + payload.length > MAX_QUEUED_BYTES
      if (state.closed || isFull) return log.debug({ device: deviceId, kind }, 'too busy: dropped a batch')
      if (deps.intake?.holds(deviceId)) return log.debug({ device: deviceId, kind }, 'too much: the device must wait')
      state.queuedBytes += payload.length
      state.queued.set(deviceId, [...before, payload])
      startCommits(state, deps)
    },
    get stored() {
      return state.stored
    },
    async close() {
      state.closed = true
      state.queued.clear()
      await Promise.all(state.commits)
    },
  }
}

function startCommits<Items>(state: State, deps: BatchReceiverDeps<Items>): void {
  while (state.commits.size < MAX_COMMITS) {
    const taken = takeQueued(state)
    if (taken.length === 0) return
    const done = commit(state, deps, taken).then(() => {
      for (const { deviceId } of taken) state.busy.delete(deviceId)
      state.commits.delete(done)
      startCommits(state, deps)
    })
    state.commits.add(done)
  }
}

/** Takes the oldest batch of each device, those first that have waited longest. */
function takeQueued(state: State): Payload[] {
  const { queued, busy, suspects } = state
  const taken: Payload[] = []
  let bytes = 0
  for (const [deviceId, payloads] of queued) {
    if (busy.has(deviceId)) continue
    const [payload = EMPTY] = payloads
    const isTooMuch = taken.length === MAX_COMMIT_BATCHES || bytes + payload.length > MAX_COMMIT_BYTES
    const isAlone = suspects.has(deviceId)
    if (taken.length > 0 && (isTooMuch || isAlone)) break
    bytes += payload.length
    taken.push({ deviceId, payload })
    if (isAlone) break
  }
  for (const { deviceId, payload } of taken) {
    busy.add(deviceId)
    state.queuedBytes -= payload.length
    const rest = queued.get(deviceId)?.slice(1) ?? []
    // Moves to the end of the queue, so that a device that sends a lot does not block the others.
    queued.delete(deviceId)
    if (rest.length > 0) queued.set(deviceId, rest)
  }
  return taken
}

async function commit<Items>(state: State, deps: BatchReceiverDeps<Items>, taken: readonly Payload[]): Promise<void> {
  const batches = taken.flatMap(({ deviceId, payload }) => readPayload(deps, deviceId, payload) ?? [])
  if (batches.length === 0) return
  try {
    await storeTogether(state, deps, batches)
  } catch (error) {
    if (batches.length === 1) return refuse(state, deps, batches, error)
    await storeOneByOne(state, deps, batches)
  }
}

function readPayload<Items>(
  { kind, log, intake, read }: BatchReceiverDeps<Items>,
  deviceId: string,
  payload: Buffer,
): Waiting<Items> | undefined {
  const batch = read(deviceId, parse(payload))
  // What is rejected was read, too: a device that sends nothing else must not keep this process busy.
  const rows = batch ? batch.rows + batch.rejected.length : ROWS_OF_NO_BATCH
  intake?.charge(deviceId, { rows, bytes: payload.length })
  if (!batch) {
    log.warn({ device: deviceId, kind }, 'ignored a payload that is not a batch')
    return undefined
  }
  const { items, upTo, rejected } = batch
  if (rejected.length > 0) {
    log.warn({ device: deviceId, kind, count: rejected.length, first: rejected[0] }, 'rejected items of a batch')
  }
  return { deviceId, items, upTo }
}

async function storeTogether<Items>(
  state: State,
  { kind, bus, store }: BatchReceiverDeps<Items>,
  batches: readonly Waiting<Items>[],
): Promise<void> {
  // Not `+= await`: that would read the sum before it waits, and lose what another commit adds meanwhile.
  const added = await store(batches.map(({ deviceId, items }) => ({ deviceId, items })))
  state.stored += added
  for (const { deviceId, upTo } of batches) {
    state.suspects.delete(deviceId)
    bus.send(deviceId, topics.confirm(deviceId, kind, upTo), EMPTY)
  }
}

/** After a failure together: a batch that cannot be stored must not hold up those of other devices. */
async function storeOneByOne<Items>(
  state: State,
  deps: BatchReceiverDeps<Items>,
  batches: readonly Waiting<Items>[],
): Promise<void> {
  const failed: string[] = []
  let inARow = 0
  for (const [index, batch] of batches.entries()) {
    try {
      await storeTogether(state, deps, [batch])
      inARow = 0
    } catch (error) {
      inARow += 1
      failed.push(batch.deviceId)
      if (inARow === MAX_FAILURES) return refuse(state, deps, batches.slice(index), error)
      refuse(state, deps, [batch], error)
    }
  }
  if (failed.length < batches.length) for (const deviceId of failed) state.suspects.add(deviceId)
}

/** Confirms none of these, nor what is queued behind them. */
function refuse<Items>(
  state: State,
  { kind, log }: BatchReceiverDeps<Items>,
  batches: readonly Waiting<Items>[],
  error: unknown,
): void {
  for (const { deviceId } of batches) dropQueued(state, deviceId)
  const what = { device: batches[0]?.deviceId, ...(batches.length > 1 && { devices: batches.length }), kind }
  const reason = error instanceof Error ? error.message : String(error)
  log.error({ ...what, error: reason }, 'could not store a batch; the device will send it again')
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
