import { type Clock, within } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { CommandName } from '@plantroom/contract/commands'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { type Confirmed, topics } from '@plantroom/contract/topics'
import type { Protocol } from '@plantroom/drivers/driver'
import type { MessageHandler } from './commands/command.ts'
import { keptState } from './commands/get-control-state.ts'
import { createHandlers } from './commands/handlers.ts'
import { type Connections, createConnections } from './connections/connections.ts'
import { createLiveReader } from './connections/live-reader.ts'
import { type Health, startHealth } from './health/health.ts'
import { startStateSender } from './health/state-sender.ts'
import type { LinkListener } from './link/cloud-link.ts'
import type { Figures } from './metrics/text.ts'
import { createLiveMeter } from './optimisation/meter.ts'
import { createOptimisation } from './optimisation/optimisation.ts'
import { DEFAULT_QUOTAS, type Quotas } from './overrides/check-window.ts'
import { createOnce } from './overrides/once.ts'
import { createOverrideIds, newIdKey } from './overrides/override-ids.ts'
import { createOverrides } from './overrides/overrides.ts'
import { createTimekeeper } from './overrides/timekeeper.ts'
import { createAudit, createReportOutbox } from './reports/audit.ts'
import { type AuditSigner, createAuditSigner } from './reports/audit-key.ts'
import { createAnswerStore } from './store/answer-store.ts'
import { createCommits } from './store/commits.ts'
import { type ConfirmedSender, createConfirmedSender, type Uplink } from './store/confirmed-sender.ts'
import { writtenToDisk } from './store/disk-writes.ts'
import { createFactStore } from './store/fact-store.ts'
import { createAppliedStore, createHoldStore } from './store/hold-store.ts'
import { createLimitStore } from './store/limit-store.ts'
import { createMeasurementStore } from './store/measurement-store.ts'
import { openMemory } from './store/memory.ts'
import { createOverrideStore } from './store/override-store.ts'
import { createReportStore } from './store/report-store.ts'
import { createReserve, freeOnDisk } from './store/reserve.ts'
import { createRestoreStore } from './store/restore-store.ts'
import { createTechnicalSystemStore } from './store/technical-system-store.ts'
import { createTelemetryFile } from './store/telemetry-file.ts'
import { startBroadcasting } from './telemetry/broadcast.ts'
import { createMeasurementSender, type MeasurementSender, startArchive } from './telemetry/measurements.ts'
import { createArbiter } from './writing/arbiter.ts'
import { createFailsafes } from './writing/failsafes.ts'
import type { HoldDocument } from './writing/hold-document.ts'
import { createLimitKeeper } from './writing/limit-keeper.ts'
import type { LimitState } from './writing/limits.ts'

/** Equipment that hangs must not delay the stop for longer than this. */
const CLOSE_MS = 5_000

/** Where a test may end the process: around a flush of the journal, a write to equipment, a reply, a report. */
export type Point =
  | 'flush:before'
  | 'flush:after'
  | 'write:before'
  | 'write:after'
  | 'reply:before'
  | 'report:confirmed'

/** Everything a device does, except its link to the cloud. */
export interface Device {
  handlers: Readonly<Record<CommandName, MessageHandler>>
  listener: LinkListener
  /** Connects the device to the cloud. */
  open(uplink: Uplink): void
  figures(): Figures
  /** Stops without releasing anything: the next start resumes the holds. Safe to call again. */
  stop(): Promise<void>
}

export interface DeviceDeps {
  folder: string
  deviceId: string
  protocols: Readonly<Record<string, Protocol>>
  clock: Clock
  log: Log
  reached?: (point: Point) => void
  quotas?: Quotas
  /** How long to collect reports after a batch is confirmed. */
  reportRestMs?: number
  /**
   * Called when the journal has been given what this controller or one before it had, or when it is back on the disk
   * after it was removed. The device must be stopped and started again.
   */
  onRestored?: () => void
}

/**
 * Builds a device from its folder and resumes its holds. It runs with or without the cloud. When it cannot start, it
 * leaves nothing open.
 */
export async function startDevice(deps: DeviceDeps): Promise<Device> {
  const parts = new AsyncDisposableStack()
  try {
    const device = await build(deps, parts)
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= parts.disposeAsync())
    return { ...device, stop }
  } catch (error) {
    await parts.disposeAsync().catch((failure) => deps.log.error({ err: failure }, 'could not close every part'))
    throw error
  }
}

/** Builds the parts in the order of their dependencies. They close in reverse, so that the journal closes last. */
async function build(deps: DeviceDeps, parts: AsyncDisposableStack): Promise<Omit<Device, 'stop'>> {
  const uplink = lateUplink()
  const storage = buildStorage(deps, parts)
  const signer = createAuditSigner({ facts: storage.facts, log: deps.log })
  const senders = buildSenders(deps, parts, { storage, uplink, signer })
  const control = buildControl(deps, parts, { storage, onReport: senders.reports.changed })
  const { clock, connections, failsafes, limits, arbiter, overrides, optimisation } = control
  const telemetry = buildTelemetry(deps, parts, {
    storage,
    clock,
    connections,
    uplink,
    onArchived: senders.measurements.archived,
  })

  const health = buildHealth(deps, parts, { storage, control, uplink })
  const { deviceId } = deps
  const memory = storage.memory.identity
  const state = () => keptState({ connections, arbiter, overrides, limits, clock, memory })
  const stateSender = closing(parts, startStateSender({ state, uplink, deviceId, clock }))

  async function apply(system: TechnicalSystem): Promise<void> {
    failsafes.apply(system)
    // Before the connections, so that no writer takes hold of a datapoint while it is being removed.
    if (system.connections.length === 0) optimisation.remove(system.id)
    else optimisation.apply(system)
    await connections.apply(system)
    // A schedule may have claimed a datapoint that did not exist yet.
    optimisation.evaluateNow()
    telemetry.archive.apply()
    telemetry.broadcasting.apply()
  }

  connections.watchHolds(arbiter.isHeld)
  for (const system of storage.systems.load()) await apply(system)
  // Every claim is decided and on disk before the first write, so that an ended override is not written again.
  await overrides.start(arbiter.start)

  const isHeld = (datapointId: string) => overrides.isOverridden(datapointId) || arbiter.isHeld(datapointId)
  return {
    handlers: createHandlers({
      connections,
      systems: storage.systems,
      commits: storage.commits,
      isHeld: (datapointId) => isHeld(datapointId) || failsafes.guardedBy(datapointId).some(isHeld),
      apply,
      failsafes,
      limits,
      arbiter,
      overrides,
      clock,
      rows: storage.rows,
      memory,
      hasAccepted: overrides.hasAccepted,
      auditKey: signer.publicKey,
      deviceId,
      onRestored: deps.onRestored ?? (() => {}),
    }),
    listener: {
      connected() {
        senders.reports.connected()
        senders.measurements.connected()
        health.connected()
        stateSender.connected()
      },
      greeted: stateSender.greeted,
      confirmed: (what, upTo) => senders[what].confirmed(upTo),
      cloudTime(time) {
        overrides.heardCloudTime(time)
        health.heardCloudTime(time)
      },
    },
    open: uplink.open,
    figures: () => ({
      connections: connections.figures(),
      datapointsHeld: [...arbiter.holds()].length,
      unsentReports: storage.reports.count(),
      unsentMeasurements: storage.measurements.count(),
      journalFlushes: storage.commits.flushes(),
      diskWritten: writtenToDisk(),
      ...overrides.figures(),
    }),
  }
}

/** Closes a part with the device. */
function closing<Part extends { close(): void }>(parts: AsyncDisposableStack, part: Part): Part {
  return parts.adopt(part, () => part.close())
}

type Storage = ReturnType<typeof buildStorage>

function buildStorage({ folder, clock, log, reached, onRestored }: DeviceDeps, parts: AsyncDisposableStack) {
  const memory = closing(parts, openMemory({ folder, clock, log, onBack: onRestored ?? (() => {}) }))
  const { journal } = memory
  const reserve = createReserve(memory.folder, log)
  const commits = closing(parts, createCommits({ journal, memory, reserve, clock, log, ...(reached && { reached }) }))
  const file = createTelemetryFile({ folder, clock, log })
  return {
    journal,
    memory,
    commits,
    systems: createTechnicalSystemStore(journal),
    facts: createFactStore(journal),
    reports: createReportStore(journal),
    rows: {
      restore: createRestoreStore(journal),
      overrides: createOverrideStore(journal),
      applied: createAppliedStore(journal),
      holds: createHoldStore<HoldDocument>(journal),
      limits: createLimitStore<LimitState>(journal),
    },
    measurements: closing(parts, createMeasurementStore({ file, clock, log })),
  }
}

function buildSenders(
  { deviceId, clock, log, reached, reportRestMs = 0 }: DeviceDeps,
  parts: AsyncDisposableStack,
  { storage, uplink, signer }: { storage: Storage; uplink: Uplink; signer: AuditSigner },
): Record<Confirmed, ConfirmedSender> & { measurements: MeasurementSender } {
  const { reports, commits, measurements } = storage
  const outbox = createReportOutbox({ store: reports, commits, signer, ...(reached && { reached }) })
  const topic = topics.reports(deviceId)
  return {
    reports: closing(parts, createConfirmedSender({ outbox, uplink, topic, clock, log, restMs: reportRestMs })),
    measurements: closing(parts, createMeasurementSender({ store: measurements, uplink, deviceId, clock, log })),
  }
}

/** Builds everything that decides what equipment holds, and writes it. Its `clock` has the right time. */
function buildControl(
  { deviceId, protocols, clock: ownClock, log, reached, quotas = DEFAULT_QUOTAS }: DeviceDeps,
  parts: AsyncDisposableStack,
  { storage, onReport }: { storage: Storage; onReport: () => void },
) {
  const { rows, commits, facts, reports } = storage
  const timekeeper = createTimekeeper({ facts, clock: ownClock })
  const wallTime = () => timekeeper.now().wall
  const clock: Clock = { ...ownClock, now: wallTime }
  const connections = createConnections({ protocols, clock, log })
  parts.defer(() => within(clock, CLOSE_MS, connections.close()))
  const failsafes = closing(parts, createFailsafes({ clock, log }))
  const limits = createLimitKeeper({ store: rows.limits, commits, wallTime })
  const audit = createAudit({ store: reports, commits, deviceId, log, onReady: onReport })
  const arbiter = closing(
    parts,
    createArbiter({
      connections,
      commits,
      holdStore: rows.holds,
      applied: rows.applied,
      audit,
      failsafes,
      limits,
      clock,
      wallTime,
      log,
      ...(reached && { reached }),
    }),
  )
  const overrides = closing(
    parts,
    createOverrides({
      store: rows.overrides,
      timekeeper,
      commits,
      once: createOnce({ answers: createAnswerStore(storage.journal), commits, clock }),
      ids: createOverrideIds(facts.text('override-id-key', newIdKey), rows.restore.issued()),
      arbiter,
      audit,
      connections,
      failsafes,
      limits,
      quotas,
      clock,
      log,
      isMemoryLost: storage.memory.identity().lost !== undefined,
    }),
  )
  const meter = createLiveMeter(connections, clock)
  const optimisation = closing(parts, createOptimisation({ sink: arbiter, meter, clock, log }))
  return { clock, connections, failsafes, limits, arbiter, overrides, optimisation }
}

function buildTelemetry(
  { deviceId }: DeviceDeps,
  parts: AsyncDisposableStack,
  about: {
    storage: Storage
    clock: Clock
    connections: Connections
    uplink: Uplink
    onArchived: (intervalSeconds: number) => void
  },
) {
  const { storage, clock, connections, uplink, onArchived } = about
  const live = createLiveReader(connections)
  const store = storage.measurements
  return {
    archive: closing(parts, startArchive({ live, store, clock, archived: onArchived })),
    broadcasting: closing(parts, startBroadcasting({ live, uplink, deviceId, clock })),
  }
}

/** Tells the cloud what is wrong with the device and its equipment. */
function buildHealth(
  { folder, deviceId, clock }: DeviceDeps,
  parts: AsyncDisposableStack,
  { storage, control, uplink }: { storage: Storage; control: ReturnType<typeof buildControl>; uplink: Uplink },
): Health {
  const { connections, arbiter } = control
  const nameOf = (datapointId: string) => connections.find(datapointId)?.datapoint.name ?? datapointId
  return closing(
    parts,
    startHealth({
      connections: () => connections.figures(),
      *troubles() {
        for (const { datapointId, hold, trouble } of arbiter.holds()) {
          if (!trouble) continue
          yield { id: datapointId, name: nameOf(datapointId), isReleased: !hold.holder, reason: trouble.reason }
        }
        for (const { second } of connections.shared()) {
          yield { id: second.id, name: second.name, isReleased: false, reason: connections.blocked(second.id) ?? '' }
        }
      },
      freeBytes: () => freeOnDisk(folder),
      dropped: storage.measurements.dropped,
      journalTrouble: storage.commits.trouble,
      uplink,
      deviceId,
      clock,
    }),
  )
}

/** Forwards to a link that is opened later: the senders need a link, and the link needs the handlers. */
function lateUplink(): Uplink & { open(link: Uplink): void } {
  let link: Uplink | undefined
  return {
    get connected() {
      return link?.connected ?? false
    },
    publish: (topic, payload, qos) => link?.publish(topic, payload, qos),
    open(opened) {
      link = opened
    },
  }
}
