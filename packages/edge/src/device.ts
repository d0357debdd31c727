import type { CommandName } from '@plantroom/contract/commands'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { MessageHandler } from './commands/command.ts'
import { createCommissioning } from './commands/commission.ts'
import { keptState } from './commands/get-control-state.ts'
import { createHandlers } from './commands/handlers.ts'
import {
  buildControl,
  buildHealth,
  buildSenders,
  buildStorage,
  buildTelemetry,
  closing,
  type DeviceDeps,
} from './device-parts.ts'
import { startStateSender } from './health/state-sender.ts'
import type { CloudLink, LinkListener } from './link/cloud-link.ts'
import type { Figures } from './metrics/text.ts'
import { createReadEquipment } from './probe/read-once.ts'
import { createScans } from './probe/scans.ts'
import { createAuditSigner } from './reports/audit-key.ts'
import type { Uplink } from './store/confirmed-sender.ts'
import { writtenToDisk } from './store/disk-writes.ts'

export type CloudUplink = Uplink & Pick<CloudLink, 'askTime'>

/** Everything a device does, except its link to the cloud. */
export interface Device {
  handlers: Readonly<Record<CommandName, MessageHandler>>
  listener: LinkListener
  /** Connects the device to the cloud. */
  open(uplink: CloudUplink): void
  figures(): Figures
  /** Stops without releasing anything: the next start resumes the holds. Safe to call again. */
  stop(): Promise<void>
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
  const { clock, connections, failsafes, limits, arbiter, overrides, limiter, powerLimits, outputTests, optimisation } =
    control
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
  const { moved } = storage.rows.powerLimits
  async function apply(system: TechnicalSystem): Promise<void> {
    failsafes.apply(system)
    // Before the connections, so that no writer takes hold of a datapoint while it is being removed.
    if (system.connections.length === 0) optimisation.remove(system.id)
    else optimisation.apply(system)
    await connections.apply(system)
    // A schedule may have claimed a datapoint that did not exist yet.
    optimisation.evaluateNow()
    limiter.apply(system)
    telemetry.archive.apply()
    telemetry.broadcasting.apply()
  }

  const isHeld = (datapointId: string) => overrides.isOverridden(datapointId) || arbiter.isHeld(datapointId)
  const orGuards = (is: (datapointId: string) => boolean) => (datapointId: string) =>
    is(datapointId) || failsafes.guardedBy(datapointId).some(is)
  const commissioning = createCommissioning({
    ...{ connections, systems: storage.systems, commits: storage.commits, arbiter, apply, clock, log: deps.log },
    isHeld: orGuards(isHeld),
    isWritten: orGuards(arbiter.isCaptured),
    auditKey: signer.publicKey,
    trials: storage.trials,
    askCloud: uplink.askTime,
  })
  const trials = closing(parts, commissioning.trials)
  const controlState = { connections, arbiter, overrides, limits, limiter, powerLimits, moved, clock, memory, trials }
  const state = () => keptState(controlState)
  const stateSender = closing(parts, startStateSender({ state, uplink, deviceId, clock }))

  connections.watchHolds(arbiter.isHeld)
  for (const system of storage.systems.load()) await apply(system)
  // Every claim is decided and on disk before the first write, so that an ended override is not written again.
  limiter.resume()
  await overrides.start(() => {
    arbiter.start()
    limiter.start()
  })
  await trials.resume()

  const scans = closing(parts, createScans(deps))
  return {
    handlers: createHandlers({
      ...controlState,
      systems: storage.systems,
      commits: storage.commits,
      commissioning,
      isHeld: orGuards(isHeld),
      failsafes,
      outputTests,
      readEquipment: createReadEquipment(deps),
      scans,
      rows: storage.rows,
      hasAccepted: () => overrides.hasAccepted() || powerLimits.hasAccepted(),
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
        limiter.heard()
      },
      greeted: stateSender.greeted,
      heard: trials.heard,
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

/** Forwards to a link that is opened later: the senders need a link, and the link needs the handlers. */
function lateUplink(): CloudUplink & { open(link: CloudUplink): void } {
  let link: CloudUplink | undefined
  return {
    get connected() {
      return link?.connected ?? false
    },
    publish: (topic, payload, qos) => link?.publish(topic, payload, qos),
    askTime: () => link?.askTime(),
    open(opened) {
      link = opened
    },
  }
}
