import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ControlState, RolledBack } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { type ActingParty, type ActivityLog, SYSTEM } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Ask } from './ask.ts'
import { askDevice } from './check-commissioning.ts'
import { createCommissioningVersionStore } from './commissioning-version-store.ts'
import type { Device } from './device-store.ts'
import { createTechnicalSystemStore } from './technical-system-store.ts'
import { createWrittenAddressStore } from './written-address-store.ts'

interface RollbackDeps {
  db: Db
  findDevice(deviceId: string): Device | undefined
  activity: ActivityLog
  ask: Ask
  clock: Clock
  log: Log
}

/**
 * Follows controllers that went back to what they ran before a commissioning file: the service then knows it as
 * commissioned again, as a new version. The controller repeats itself, so what fails here is done later.
 */
export function createRollbacks(deps: RollbackDeps): { noticed(deviceId: string, state: ControlState): void } {
  const { findDevice, log } = deps
  /** What is stored or about to be, by device: the same news comes with every state. */
  const known = new Map<string, string>()
  return {
    noticed(deviceId, { rolledBack }) {
      const device = findDevice(deviceId)
      if (!device || !rolledBack) return
      const news = JSON.stringify(rolledBack.loadIds)
      if (known.get(deviceId) === news) return
      known.set(deviceId, news)
      follow(deps, device, rolledBack).catch((error: Error) => {
        known.delete(deviceId)
        log.warn({ deviceId, err: error }, 'could not store that a controller went back; it will say so again')
      })
    },
  }
}

async function follow(deps: RollbackDeps, device: Device, rolledBack: RolledBack): Promise<void> {
  const { activity, clock } = deps
  const { id: deviceId, organizationId, siteId, name } = device
  const by: ActingParty = { ...SYSTEM, kind: 'device', id: deviceId, name }
  await activity.change({ actor: by }, async (tx, note) => {
    const systems = createTechnicalSystemStore(tx)
    const versions = createCommissioningVersionStore(tx)
    await systems.lock(deviceId)
    const { loadIds, ...how } = rolledBack
    for (const systemId of await versions.markRolledBack(deviceId, loadIds, how)) {
      const before = await versions.before(deviceId, systemId, loadIds)
      if (before) {
        await restore(deps, tx, device, before.system)
        await versions.add(deviceId, before.system, { at: new Date(clock.now()), by, templates: before.templates })
      }
      const subject = { kind: 'device', id: deviceId, name } as const
      const details = { technicalSystem: { id: systemId, name: before?.system.name ?? systemId }, ...how }
      note({ organizationId, siteId, action: 'commissioning-rolled-back', subject, details })
    }
  })
}

/** Stores what the controller runs again, and what that writes. */
async function restore({ ask }: RollbackDeps, tx: Db, device: Device, system: TechnicalSystem): Promise<void> {
  await createTechnicalSystemStore(tx).put(device.id, system)
  if (system.connections.length === 0) return
  const { targets = [] } = await askDevice(system, { deviceId: device.id, ask, keyId: 'operator' })
  const addresses = createWrittenAddressStore(tx)
  await addresses.lock(device.organizationId)
  await addresses.replace(device.id, system, targets)
}
