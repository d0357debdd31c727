import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { topics } from '@plantroom/contract/topics'
import type { Protocol } from '@plantroom/drivers/driver'
import type { CommandHandlers } from './commands/command.ts'
import { createCommissioning } from './commands/commission.ts'
import { demandResponseCancel, demandResponseOverride } from './commands/demand-response.ts'
import { getTechnicalConnectionValues } from './commands/get-connection-values.ts'
import { getControlState } from './commands/get-control-state.ts'
import { getTechnicalDataPoints } from './commands/get-data-points.ts'
import { createConnections } from './connections/connections.ts'
import { createLiveReader } from './connections/live-reader.ts'
import type { LinkListener } from './link/cloud-link.ts'
import type { Figures } from './metrics/figures.ts'
import { createLiveMeter } from './optimisation/live-meter.ts'
import { createOptimisation } from './optimisation/optimisation.ts'
import { createOnce } from './overrides/once.ts'
import { createOverrideIds, newIdKey } from './overrides/override-id.ts'
import { createOverrides } from './overrides/overrides.ts'
import { createTimekeeper } from './overrides/timekeeper.ts'
import { createAudit } from './reports/audit.ts'
import { createReportOutbox } from './reports/outbox.ts'
import { createAnswerStore } from './store/answer-store.ts'
import { createAppliedStore } from './store/applied-store.ts'
import { createCommits } from './store/commits.ts'
import { createConfirmedSender, type Uplink } from './store/confirmed-sender.ts'
import { createFactStore } from './store/fact-store.ts'
import { createHoldStore } from './store/hold-store.ts'
import { openJournal } from './store/journal.ts'
import { createMeasurementStore } from './store/measurement-store.ts'
import { createReportStore } from './store/report-store.ts'
import { createReserve } from './store/reserve.ts'
import { createTechnicalSystemStore } from './store/technical-system-store.ts'
import { createTelemetryFile } from './store/telemetry-file.ts'
import { createWindowStore } from './store/window-store.ts'
import { startArchive } from './telemetry/archive.ts'
import { startBroadcasting } from './telemetry/broadcast.ts'
import { createMeasurementSender } from './telemetry/measurement-sender.ts'
import { within } from './within.ts'
import { createArbiter } from './writing/arbiter.ts'
import type { ControlDocument } from './writing/control.ts'
import { createFailsafes } from './writing/failsafes.ts'

/** Equipment that hangs must not hold up the stop for longer. */
const LET_GO_MS = 5_000

/** Where a test may end the process: around a flush of the journal, a write to equipment, a reply, a report. */
export type Point =
  | 'flush:before'
  | 'flush:after'
  | 'write:before'
  | 'write:after'
  | 'reply:before'
  | 'report:confirmed'

/** Everything that a device does, but for its link to the cloud. */
export interface Device {
  handlers: CommandHandlers
  listener: LinkListener
  /** From now on there is a way to the cloud. */
  open(uplink: Uplink): void
  figures(): Omit<Figures, 'journalFlushes'>
  /** What is held stays held: the next start goes on from there. Safe to call again. */
  stop(): Promise<void>
}

interface DeviceDeps {
  folder: string
  deviceId: string
  protocols: Readonly<Record<string, Protocol>>
  clock: Clock
  log: Log
  reached?: (point: Point) => void
  /** So long reports are gathered after some were sent. */
  reportRestMs?: number
}

/**
 * Builds a device from its folder, and takes up what it held. It runs whether or not the cloud is there. Where it cannot
 * start, nothing is left open.
 */
export async function startDevice(deps: DeviceDeps): Promise<Device> {
  const parts = new AsyncDisposableStack()
  try {
    const device = await build(deps, parts)
    let stopped: Promise<void> | undefined
    const stop = () => (stopped ??= parts.disposeAsync())
    return { ...device, stop }
  } catch (error) {
    await parts.disposeAsync().catch((failure) => deps.log.error({ err: failure }, 'not everything could be closed'))
    throw error
  }
}

/** What is built first ends last: until then, whatever the others still say is kept. */
async function build(deps: DeviceDeps, parts: AsyncDisposableStack): Promise<Omit<Device, 'stop'>> {
  const { folder, deviceId, protocols, clock, log, reached = () => {}, reportRestMs = 0 } = deps
  const closing = <Part extends { close(): void }>(part: Part) => parts.adopt(part, () => part.close())

  const journal = closing(openJournal(folder))
  const commits = closing(createCommits({ journal, reserve: createReserve(folder, log), clock, log, reached }))
  const systems = createTechnicalSystemStore(journal)
  const facts = createFactStore(journal)
  const reports = createReportStore(journal)
  const telemetryFile = createTelemetryFile({ folder, clock, log })
  const measurements = closing(createMeasurementStore({ file: telemetryFile, clock, log }))

  const uplink = laterUplink()
  const reportSender = closing(
    createConfirmedSender({
      outbox: createReportOutbox({ store: reports, commits, reached }),
      uplink,
      topic: topics.reports(deviceId),
      clock,
      log,
      restMs: reportRestMs,
    }),
  )
  const measurementSender = closing(createMeasurementSender({ store: measurements, uplink, deviceId, clock, log }))

  const connections = createConnections({ protocols, clock, log })
  parts.defer(() => within(clock, LET_GO_MS, connections.close()))
  const failsafes = closing(createFailsafes({ clock, log }))
  const timekeeper = createTimekeeper({ facts, clock })
  const arbiter = closing(
    createArbiter({
      connections,
      commits,
      holds: createHoldStore<ControlDocument>(journal),
      applied: createAppliedStore(journal),
      audit: createAudit({ store: reports, commits, deviceId, log, onReady: reportSender.changed }),
      failsafes,
      clock,
      wallTime: () => timekeeper.now().wall,
      log,
      reached,
    }),
  )
  const overrides = closing(
    createOverrides({
      windows: createWindowStore(journal),
      timekeeper,
      commits,
      once: createOnce({ answers: createAnswerStore(journal), commits, clock }),
      ids: createOverrideIds(facts.text('override-id-key', newIdKey)),
      arbiter,
      connections,
      failsafes,
      clock,
      log,
    }),
  )
  const meter = createLiveMeter(connections, clock)
  const optimisation = closing(createOptimisation({ sink: arbiter, meter, clock, log }))

  const live = createLiveReader(connections)
  const archive = closing(startArchive({ live, store: measurements, clock, archived: measurementSender.changed }))
  const broadcasting = closing(startBroadcasting({ live, uplink, deviceId, clock }))

  async function apply(system: TechnicalSystem): Promise<void> {
    failsafes.apply(system)
    // Ahead of the connections: nobody may take hold of a datapoint in the moment in which it goes.
    if (system.connections.length === 0) optimisation.remove(system.id)
    else optimisation.apply(system)
    await connections.apply(system)
    // A schedule may have spoken of a datapoint that was not there yet.
    optimisation.evaluateNow()
    archive.apply()
    broadcasting.apply()
  }

  for (const system of systems.load()) await apply(system)
  // Every claim is decided on, and on disk, before the first write: an override that ended meanwhile is not written again.
  await overrides.start(arbiter.start)

  const isHeld = (datapointId: string) => overrides.holds(datapointId) || arbiter.holds(datapointId)
  const commission = createCommissioning({
    connections,
    store: systems,
    commits,
    isHeld: (datapointId) => isHeld(datapointId) || failsafes.guardedBy(datapointId).some(isHeld),
    apply,
  })
  return {
    handlers: {
      getTechnicalDataPoints: getTechnicalDataPoints(connections),
      getTechnicalConnectionValues: getTechnicalConnectionValues(connections),
      demandResponseOverride: demandResponseOverride(overrides, connections.isLeaving),
      demandResponseCancel: demandResponseCancel(overrides),
      commission,
      getControlState: getControlState({ connections, arbiter, overrides, clock }),
    },
    listener: {
      connected() {
        reportSender.connected()
        measurementSender.connected()
      },
      confirmed: (what, upTo) => (what === 'reports' ? reportSender : measurementSender).confirmed(upTo),
      cloudTime: overrides.heardCloudTime,
    },
    open: uplink.open,
    figures: () => ({
      connections: connections.figures(),
      datapointsHeld: [...arbiter.held()].length,
      unsentReports: reports.count(),
      unsentMeasurements: measurements.count(),
      ...overrides.figures(),
    }),
  }
}

/** What is sent needs the link, and the link needs what is asked of the device: the link comes last. */
function laterUplink(): Uplink & { open(link: Uplink): void } {
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
