import { createLog } from '@plantroom/base/log'
import type { Datapoint } from '@plantroom/contract/datapoint'
import type { ChainedEntry } from '@plantroom/contract/reports'
import type { DatapointValue } from '@plantroom/contract/values'
import type { Image, Protocol, ProtocolDeps, Raw } from '@plantroom/drivers/driver'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aSystem } from '@plantroom/testkit/technical-system'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { onTestFinished } from 'vitest'
import { type Connections, createConnections } from '../connections/connections.ts'
import { DEFAULT_QUOTAS } from '../overrides/check-window.ts'
import { createOnce } from '../overrides/once.ts'
import { createOverrideIds } from '../overrides/override-ids.ts'
import { createOverrides, type Overrides } from '../overrides/overrides.ts'
import { createTimekeeper } from '../overrides/timekeeper.ts'
import { createAudit } from '../reports/audit.ts'
import { createAnswerStore } from '../store/answer-store.ts'
import { type Commits, createCommits } from '../store/commits.ts'
import { createFactStore } from '../store/fact-store.ts'
import { createAppliedStore, createHoldStore } from '../store/hold-store.ts'
import { type Journal, openJournal } from '../store/journal.ts'
import { createLimitStore } from '../store/limit-store.ts'
import { createOverrideStore } from '../store/override-store.ts'
import { createReportStore } from '../store/report-store.ts'
import { createReserve } from '../store/reserve.ts'
import { type Arbiter, createArbiter } from '../writing/arbiter.ts'
import { createFailsafes } from '../writing/failsafes.ts'
import type { HoldDocument } from '../writing/hold-document.ts'
import { createLimitKeeper } from '../writing/limit-keeper.ts'
import type { LimitState } from '../writing/limits.ts'
import { createMemoryDriver, type MemoryDriver, memoryTargets } from './memory-driver.ts'

/** The part of a device that holds equipment, with direct access to its journal and its claims. */
export interface ControlRig {
  readonly clock: ManualClock
  readonly equipment: MemoryDriver
  readonly connections: Connections
  readonly arbiter: Arbiter
  readonly overrides: Overrides
  readonly commits: Commits
  readonly journal: Journal
  shown(datapointId: string): DatapointValue
  /** The audit entries, without those that wait for the equipment. */
  entries(): ChainedEntry[]
  settle(): Promise<void>
}

/** Equipment behind sockets, instead of that in memory. */
interface RealEquipment {
  createProtocol(deps: ProtocolDeps): Protocol
  settings: Record<string, unknown>
  /** Resolves once everything that was sent has arrived. */
  settled(): Promise<void>
}

export async function aControlRig(
  datapoints: readonly Datapoint[],
  points: Readonly<Record<string, Raw | string | Image>>,
  real?: RealEquipment,
): Promise<ControlRig> {
  const clock = createManualClock(undefined, real?.settled)
  const log = createLog('edge', 'silent')
  const folder = temporaryFolder()
  const journal = openJournal(folder)
  const commits = createCommits({ journal, reserve: createReserve(folder, log), clock, log })
  const equipment = createMemoryDriver(points)
  const connections = createConnections({
    protocols: {
      'modbus-tcp': real?.createProtocol({ clock }) ?? {
        check: () => [],
        targets: memoryTargets,
        connect: () => equipment,
      },
    },
    clock,
    log,
  })
  const audit = createAudit({ store: createReportStore(journal), commits, deviceId: 'dev_1', log, onReady: () => {} })
  const failsafes = createFailsafes({ clock, log })
  const holdStore = createHoldStore<HoldDocument>(journal)
  const applied = createAppliedStore(journal)
  const timekeeper = createTimekeeper({ facts: createFactStore(journal), clock })
  const wallTime = () => timekeeper.now().wall
  const limits = createLimitKeeper({ store: createLimitStore<LimitState>(journal), commits, wallTime })
  const control = { connections, commits, failsafes, limits, clock, log }
  const arbiter = createArbiter({ ...control, holdStore, applied, audit, wallTime })
  const overrides = createOverrides({
    store: createOverrideStore(journal),
    timekeeper,
    commits,
    once: createOnce({ answers: createAnswerStore(journal), commits, clock }),
    ids: createOverrideIds('key'),
    arbiter,
    audit,
    connections,
    failsafes,
    limits,
    quotas: DEFAULT_QUOTAS,
    clock,
    log,
    isMemoryLost: false,
  })

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 10; turn += 1) await clock.advance(0)
  }

  await connections.apply(aSystem('sys', [aConnection({ datapoints, ...(real && { settings: real.settings }) })]))
  await overrides.start(arbiter.start)
  await settle()
  onTestFinished(async () => {
    overrides.close()
    arbiter.close()
    await connections.close()
    commits.close()
    journal.close()
  })
  return {
    clock,
    equipment,
    connections,
    arbiter,
    overrides,
    commits,
    journal,
    settle,
    shown(datapointId) {
      const place = connections.find(datapointId)
      if (!place) throw new Error(`no datapoint ${datapointId}`)
      return place.connection.current(datapointId)
    },
    entries: () =>
      journal
        .prepare('SELECT entry FROM report ORDER BY seq')
        .all()
        .map(({ entry }) => JSON.parse(String(entry)) as ChainedEntry),
  }
}
