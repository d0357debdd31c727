import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { Db } from '../../db/database.ts'
import { ensureSharedRoles, putAccount, removeAccount } from './account-commands.ts'
import { createAccountStore } from './account-store.ts'
import { compareAccounts } from './compare-accounts.ts'
import type { DeviceAccounts } from './device-accounts.ts'
import { connectDynamicSecurity } from './dynamic-security.ts'

const COMPARE_MS = 600_000

/**
 * Manages the accounts of devices in a Mosquitto broker with the dynamic security plugin. After every connect and every
 * ten minutes it deletes accounts whose device is gone, and counts devices that have none.
 */
export async function openMosquittoAccounts(deps: {
  url: string
  cloudId: string
  db: Db
  clock: Clock
  log: Log
}): Promise<DeviceAccounts & { compare(): Promise<void> }> {
  const { url, cloudId, db, clock, log } = deps
  const store = createAccountStore(db)
  const serviceId = await store.serviceId()
  const state: { missing: number | undefined; comparing: Promise<void> | undefined } = {
    missing: undefined,
    comparing: undefined,
  }
  const broker = await connectDynamicSecurity({
    url,
    clientId: `${cloudId}_accounts`,
    reconnected: () => void compare(),
    clock,
    log,
  })

  async function compareOnce(): Promise<void> {
    try {
      await ensureSharedRoles(broker)
      state.missing = await compareAccounts({ broker, store, serviceId, log })
    } catch (error) {
      state.missing = undefined
      log.warn(
        { error: String(error) },
        'could not compare the accounts at the broker with the devices; retrying later',
      )
    }
  }

  function compare(): Promise<void> {
    state.comparing ??= compareOnce().finally(() => {
      state.comparing = undefined
    })
    return state.comparing
  }

  try {
    await ensureSharedRoles(broker)
  } catch (error) {
    await broker.close()
    throw new Failure(
      'unavailable',
      `the broker at MQTT_URL does not let us manage accounts (${(error as Error).message}): load the dynamic security plugin and give this user the role admin`,
    )
  }
  void compare()
  const stopComparing = every(clock, COMPARE_MS, () => void compare())

  return {
    get missing() {
      return state.missing
    },
    compare,
    async put(tx, deviceId, secret) {
      await createAccountStore(tx).beginChange()
      await putAccount(broker, deviceId, secret, serviceId)
    },
    async remove(tx, deviceId) {
      await createAccountStore(tx).beginChange()
      await removeAccount(broker, deviceId)
    },
    async close() {
      stopComparing()
      await broker.close()
      await state.comparing
    },
  }
}
