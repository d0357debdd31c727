import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Db } from '../../db/database.ts'

/** Keeps the accounts at the broker in step with the devices. */
export interface DeviceAccounts {
  /**
   * Creates the account of a device, or changes its secret and disconnects it. Call it in the transaction of the change,
   * after the row was written: a broker that does not answer then undoes the change.
   */
  put(tx: Db, deviceId: string, secret: string): Promise<void>
  /** Removes the account and disconnects the device. Called like `put`. */
  remove(tx: Db, deviceId: string): Promise<void>
  /** Devices that cannot connect because they have no account; `undefined` while unknown. */
  readonly missing: number | undefined
  close(): Promise<void>
}

export interface AccountsDeps {
  /** The address of the broker, with the account of the cloud. */
  url: string
  cloudId: string
  db: Db
  /** Calls back when any process added or removed a device or changed a secret. */
  onSecretChange(changed: () => void): void
  clock: Clock
  log: Log
}
