import { sha256 } from '@plantroom/base/sha256'
import type { Db } from '../db/database.ts'
import { createAccountStore } from './accounts/account-store.ts'

/**
 * Returns the name of the group in which the processes of one service share batches. Mosquitto's access file does not check
 * subscriptions, so a device that knew the name could join the group, and batches of others would end at it.
 */
export async function batchGroupOf(db: Db): Promise<string> {
  return `plantroom-${sha256(`batches of ${await createAccountStore(db).serviceId()}`)}`
}
