import { type Clock, within } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { type Confirmed, topics } from '@plantroom/contract/topics'
import type { Protocol } from '@plantroom/drivers/driver'
import { type Connections, createConnections } from './connections/connections.ts'
import { createLiveReader } from './connections/live-reader.ts'
import { type Health, startHealth } from './health/health.ts'
import { createLimiter, type Limiter } from './limiting/limiter.ts'
import { createPowerLimits, type PowerLimits } from './limiting/power-limits.ts'
import { createLiveMeter } from './optimisation/meter.ts'
import { createOptimisation } from './optimisation/optimisation.ts'
import { createOutputTests } from './output-tests/output-tests.ts'
import { DEFAULT_QUOTAS, type Quotas } from './overrides/check-window.ts'
import { createOnce } from './overrides/once.ts'
import { createOverrideIds, newIdKey } from './overrides/override-ids.ts'
import { createOverrides } from './overrides/overrides.ts'
import { createTimekeeper } from './overrides/timekeeper.ts'
import { createAudit, createReportOutbox } from './reports/audit.ts'
import type { AuditSigner } from './reports/audit-key.ts'
import { createAnswerStore } from './store/answer-store.ts'
import { createCommits } from './store/commits.ts'
import { type ConfirmedSender, createConfirmedSender, type Uplink } from './store/confirmed-sender.ts'
import { createFactStore } from './store/fact-store.ts'
import { createAppliedStore, createHoldStore } from './store/hold-store.ts'
import { createLimitStore } from './store/limit-store.ts'
import { createMeasurementStore } from './store/measurement-store.ts'
import { openMemory } from './store/memory.ts'
import { createOverrideStore } from './store/override-store.ts'
import { createPowerLimitStore } from './store/power-limit-store.ts'
import { createReportStore } from './store/report-store.ts'
import { createReserve, freeOnDisk } from './store/reserve.ts'
import { createRestoreStore } from './store/restore-store.ts'
import { createTechnicalSystemStore } from './store/technical-system-store.ts'
import { createTelemetryFile } from './store/telemetry-file.ts'
import { createTrialStore } from './store/trial-store.ts'
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

/** Closes a part with the device. */
export function closing<Part extends { close(): void }>(parts: AsyncDisposableStack, part: Part): Part {
  return parts.adopt(part, () => part.close())
}

type Storage = ReturnType<typeof buildStorage>

export function buildStorage({ folder, clock, log, reached, onRestored }: DeviceDeps, parts: AsyncDisposableStack) {
  const memory = closing(parts, openMemory({ folder, clock, log, onBack: onRestored ?? (() => {}) }))
  const { journal } = memory
  const reserve = createReserve(memory.folder, log)
  const commits = closing(parts, createCommits({ journal, memory, reserve, clock, log, ...(reached && { reached }) }))
  const file = createTelemetryFile({ folder, clock, log })
  const facts = createFactStore(journal)
  return {
    journal,
    memory,
    commits,
    systems: createTechnicalSystemStore(journal),
    facts,
    trials: createTrialStore(facts),
    reports: createReportStore(journal),
    rows: {
      restore: createRestoreStore(journal),
      overrides: createOverrideStore(journal),
      applied: createAppliedStore(journal),
      holds: createHoldStore<HoldDocument>(journal),
      limits: createLimitStore<LimitState>(journal),
      powerLimits: createPowerLimitStore(journal),
    },
    measurements: closing(parts, createMeasurementStore({ file, clock, log })),
  }
}

export function buildSenders(
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
export function buildControl(
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
  const once = createOnce({ answers: createAnswerStore(storage.journal), commits, clock })
  const ids = createOverrideIds(facts.text('override-id-key', newIdKey), rows.restore.issued())
  const isMemoryLost = storage.memory.identity().lost !== undefined
  const overrides = closing(
    parts,
    createOverrides({
      store: rows.overrides,
      timekeeper,
      commits,
      once,
      ids,
      arbiter,
      audit,
      connections,
      failsafes,
      limits,
      quotas,
      clock,
      log,
      isMemoryLost,
    }),
  )
  const meter = createLiveMeter(connections, clock)
  const limiter: Limiter = closing(
    parts,
    createLimiter({
      limits: () => powerLimits,
      store: rows.powerLimits,
      ...{ connections, arbiter, meter, audit, commits, timekeeper, clock, isMemoryLost },
    }),
  )
  const powerLimits: PowerLimits = createPowerLimits({
    store: rows.powerLimits,
    ...{ commits, once, ids, timekeeper, quotas, isMemoryLost },
    meterId: limiter.meterId,
    onReleased: limiter.released,
    onChanged: limiter.changed,
  })
  const outputTests = closing(
    parts,
    createOutputTests({ overrides, connections, arbiter, meter, audit, commits, timekeeper, clock }),
  )
  const optimisation = closing(parts, createOptimisation({ sink: arbiter, meter, clock, log }))
  return { clock, connections, failsafes, limits, arbiter, overrides, limiter, powerLimits, outputTests, optimisation }
}

export function buildTelemetry(
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

/** Reports to the cloud what is wrong with the device and its equipment. */
export function buildHealth(
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
