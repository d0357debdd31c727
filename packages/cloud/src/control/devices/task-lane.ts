import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { RawBuilder } from 'kysely'
import { inBatches } from '../../platform/db/batches.ts'
import type { Db } from '../../platform/db/database.ts'
import { createGroupWriter, createPlaces, timeOf } from '../../platform/work/index.ts'
import type { DeviceLink } from './device-link.ts'
import type { DeviceTask, DueDevice, TaskKey, TaskOwner, TaskResult, TaskStore } from './task-store.ts'

/** Longer than any wait for a reply. A process that dies leaves its tasks to the others after this time. */
const LEASE_MS = 30_000
/** Devices whose tasks are claimed with one statement. */
const CLAIM = 500
/** Tasks claimed of each of so many devices; of fewer devices more. The others wait until the device has answered. */
const PER_DEVICE = 4
const AT_ONCE = 100

/** One kind of what must reach controllers: what it is about, how to ask a controller, how to store the results. */
export interface TaskKind<About = unknown, Result extends TaskResult = TaskResult> {
  /** Its tasks have it in the column `kind`. */
  name: string
  /** How many devices one process asks at the same time. An organization has at most half of these places. */
  atOnce?: number
  /** Reads what tasks are about, with one statement for all. Tasks that it leaves out are dropped. */
  load(tx: Db, tasks: readonly DeviceTask[], now: RawBuilder<Date>): Promise<readonly (About & TaskKey)[]>
  /** Asks one device, and passes each result on as soon as it is known. What has no result is done again after the lease. */
  run(deviceId: string, tasks: readonly (DeviceTask & About)[], settle: (result: Result) => void): Promise<void>
  /** Stores results of many devices, with `settleTasks` in the same transaction. */
  store(results: readonly Result[]): Promise<unknown>
  /** Ends what is over. Called before each look; resolves with the time at which to look again at the latest. */
  endOverdue?(): Promise<Date | undefined>
}

export interface LaneDeps {
  store: TaskStore
  link: Pick<DeviceLink, 'presence' | 'onBack'>
  clock: Clock
  log: Log
}

interface LaneLoop {
  /** Asks for the next look after at most this long. */
  wakeWithin(ms: number): void
  /** Aborts when no more tasks are to be taken. */
  closing: AbortSignal
}

/** The tasks of one kind, as one process does them. */
export interface Lane {
  readonly name: string
  /** For how many seconds a device that is online has waited for a place. */
  readonly waited: number
  endOverdue?: TaskKind['endOverdue']
  /** Claims tasks of these devices, which are due for longest first, and starts them without waiting for the devices. */
  take(due: readonly DueDevice[], back: readonly string[]): Promise<void>
  /** Claims tasks that were just added, if their organization has places. A look that is going on does not delay them. */
  takeAdded(devices: readonly TaskOwner[]): Promise<void>
  /** Resolves when no device is being asked. */
  idle(): Promise<void>
  close(): Promise<void>
}

export function createLane<About, Result extends TaskResult>(
  { store, link, clock, log }: LaneDeps,
  kind: TaskKind<About, Result>,
  { wakeWithin, closing }: LaneLoop,
): Lane {
  const { name, atOnce = AT_ONCE } = kind
  const places = createPlaces()
  /** The devices that are being asked. Each has one group of tasks at a time. */
  const busy = new Set<string>()
  let waited = 0
  /** A device was passed over because it, or the process, was busy. */
  let isBehind = false
  type Claimed = DeviceTask & About
  const write = async (stored: readonly { result: Result }[]) => {
    const results = stored.map(({ result }) => result)
    await kind.store(results)
    const waits = results.flatMap(({ again }) => again?.inMs ?? [])
    if (waits.length > 0) wakeWithin(Math.min(...waits))
  }
  const writer = createGroupWriter<{ organizationId: string; result: Result }>({
    ...{ write, what: `results of ${name}`, shareOf: ({ organizationId }) => organizationId },
    ...{ clock, log },
  })

  /** Gives a device its place before its tasks are claimed, so that another look leaves it to this one. */
  function begin({ deviceId, organizationId }: TaskOwner, claimed: Promise<ReadonlyMap<string, Claimed[]>>): void {
    busy.add(deviceId)
    const settle = (result: Result) => writer.add({ organizationId, result })
    const ran = claimed.then(async (of) => {
      const tasks = of.get(deviceId)
      if (!tasks) return
      await kind.run(deviceId, tasks, settle).catch((error: unknown) => {
        log.error({ err: error, deviceId, kind: name }, 'a task of a controller failed; it is retried')
      })
    })
    const ended = ran
      // Who asked for the claim learns why it failed.
      .catch(() => {})
      .then(() => {
        busy.delete(deviceId)
        if (isBehind) wakeWithin(0)
      })
    places.take({ organizationId }, ended)
  }

  async function claim(devices: readonly TaskOwner[], back: readonly string[]): Promise<void> {
    const deviceIds = devices.map(({ deviceId }) => deviceId)
    const lease = { leaseMs: LEASE_MS, sentUntil: new Date(clock.now() + LEASE_MS) }
    const perDevice = Math.max(PER_DEVICE, Math.floor(CLAIM / devices.length))
    const claimed = store
      .claim<About>({ kind: name, load: kind.load, deviceIds, back, now: timeOf(clock), ...lease, perDevice })
      .then((tasks) => Map.groupBy(tasks, ({ deviceId }) => deviceId))
    for (const device of devices) begin(device, claimed)
    for (const tasks of (await claimed).values()) if (tasks.length >= perDevice) isBehind = true
  }

  const isFree = ({ deviceId }: TaskOwner) => link.presence.isOnline(deviceId) && !busy.has(deviceId)

  return {
    name,
    get waited() {
      return waited
    },
    ...(kind.endOverdue && { endOverdue: kind.endOverdue }),
    async take(due, back) {
      const free = due.filter(isFree)
      const chosen = shareOut(free, places.byOrganization(), atOnce)
      isBehind = chosen.length < due.filter(({ deviceId }) => link.presence.isOnline(deviceId)).length
      const taken = new Set(chosen)
      waited = free.find((one) => !taken.has(one))?.waited ?? 0
      for (const some of inBatches(chosen, CLAIM)) {
        if (closing.aborted) return
        // Another claim may have come first.
        const devices = some.filter(isFree)
        if (devices.length > 0) await claim(devices, back)
      }
    },
    async takeAdded(devices) {
      const chosen = shareOut(devices.filter(isFree), places.byOrganization(), atOnce)
      if (chosen.length > 0 && !closing.aborted) await claim(chosen, [])
    },
    idle: places.all,
    close: writer.close,
  }
}

/**
 * Chooses what gets the free places. Organizations take turns, the one with the fewest running first, and none has more
 * than half of all places: "while others wait" would not help one whose work comes later.
 */
export function shareOut<Item extends Pick<TaskOwner, 'organizationId'>>(
  items: readonly Item[],
  running: ReadonlyMap<string, number>,
  atOnce: number,
): Item[] {
  const perOrganization = Math.ceil(atOnce / 2)
  const free = atOnce - [...running.values()].reduce((sum, count) => sum + count, 0)
  const counts = new Map(running)
  const placed = items.flatMap((item) => {
    const place = (counts.get(item.organizationId) ?? 0) + 1
    counts.set(item.organizationId, place)
    return place <= perOrganization ? [{ item, place }] : []
  })
  const inTurn = placed.toSorted((a, b) => a.place - b.place)
  return inTurn.slice(0, Math.max(0, free)).map(({ item }) => item)
}
