import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { removeAccount } from './account-commands.ts'
import type { AccountStore } from './account-store.ts'
import type { DynamicSecurity } from './dynamic-security.ts'

const PAGE = 200
/** Undone changes leave a few accounts. More mean that this is not the database that they belong to. */
const MOST_LEFTOVERS = 100
/** That many are looked up again before they are reported: a list in pages can skip an account. */
const MOST_LOOKUPS = 200
const NAMED_IN_LOG = 5

interface Deps {
  broker: DynamicSecurity
  store: AccountStore
  /** Accounts without this mark belong to other services. */
  serviceId: string
  log: Log
}

/** Deletes accounts of this service whose device does not exist, and returns how many devices have no account. */
export async function compareAccounts(deps: Deps): Promise<number> {
  const { broker, store, log } = deps
  const before = await store.deviceIds()
  const accounts = await listAccounts(deps)
  const after = await store.deviceIds()
  const leftovers = [...accounts.ours].filter((id) => !after.has(id))
  if (leftovers.length > 0) await deleteLeftovers(leftovers, deps)

  const missing = [...before].filter((id) => after.has(id) && !accounts.all.has(id))
  const lacking = missing.length > MOST_LOOKUPS ? missing : await stillMissing(broker, missing)
  if (lacking.length > 0) {
    log.warn(
      { count: lacking.length, devices: lacking.slice(0, NAMED_IN_LOG) },
      'devices have no account at the broker and cannot connect: renew their credentials with "plantroom device credential"',
    )
  }
  return lacking.length
}

async function deleteLeftovers(leftovers: readonly string[], { broker, store, log }: Deps): Promise<void> {
  if (leftovers.length > MOST_LEFTOVERS) {
    log.error(
      { count: leftovers.length, accounts: leftovers.slice(0, NAMED_IN_LOG) },
      'the broker has many accounts of devices that this database does not know; none was deleted. Check DATABASE_URL and MQTT_URL; delete the accounts with "mosquitto_ctrl dynsec deleteClient"',
    )
    return
  }
  // One at a time: the broker writes its whole file for each, and devices can be added in between.
  for (const leftover of leftovers) {
    // A device that was being added when we looked exists by now, or never will.
    await store.ifUnused(leftover, async () => {
      await removeAccount(broker, leftover)
      log.info({ account: leftover }, 'deleted an account at the broker whose device does not exist')
    })
  }
}

interface ListedClient {
  username: string
  textdescription?: string
}

/** All accounts named like devices, and those of them that have our mark. */
async function listAccounts({ broker, serviceId }: Deps): Promise<{ all: Set<string>; ours: Set<string> }> {
  const [all, ours] = [new Set<string>(), new Set<string>()]
  for (let offset = 0; ; offset += PAGE) {
    const [answer] = await broker.ask([{ command: 'listClients', verbose: true, count: PAGE, offset }])
    const page = answer?.data as { totalCount: number; clients: ListedClient[] } | undefined
    if (!page) throw new Failure('unavailable', `the broker refused listClients (${answer?.error})`)
    for (const { username, textdescription } of page.clients.filter((client) => client.username.startsWith('dev_'))) {
      all.add(username)
      if (textdescription === serviceId) ours.add(username)
    }
    if (offset + PAGE >= page.totalCount) return { all, ours }
  }
}

async function stillMissing(broker: DynamicSecurity, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const answers = await broker.ask(ids.map((username) => ({ command: 'getClient', username })))
  return ids.filter((_, i) => answers[i]?.error !== undefined)
}
