import { open, readFile, rename, rm } from 'node:fs/promises'
import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { compare, hash } from 'bcryptjs'
import { type AccountStore, createAccountStore } from './account-store.ts'
import type { AccountsDeps, DeviceAccounts } from './device-accounts.ts'
import { describeUsers, findPassword, type NatsUser } from './nats-users.ts'

/**
 * The least that bcrypt allows. A slow hash protects passwords that can be guessed; 40 random characters cannot, at any
 * speed. NATS computes it at every connect, and a whole fleet connects at once after a restart.
 */
const DEVICE_COST = 4
/** An operator chose the password of the cloud, so guessing must be slow. */
const CLOUD_COST = 10
const RETRY_MS = 5_000

/**
 * Writes the accounts of all devices, and that of the cloud, to a file for NATS: at the start, and whenever a process
 * adds or removes a device or renews a secret. The operator's service manager reloads NATS when the file changes.
 */
export async function openNatsAccounts(deps: AccountsDeps & { path: string }): Promise<DeviceAccounts> {
  const { url, path, db, onSecretChange, clock, log } = deps
  const store = createAccountStore(db)
  const cloud = await cloudUser(url, path).catch(explain)
  const missing = await writeFile(path, store, cloud).catch(explain)
  const state = { missing, wanted: false, closed: new AbortController() }
  let writing: Promise<void> = Promise.resolve()

  /** At the start the operator is there to fix it; later the file is written again until it works. */
  function explain(error: NodeJS.ErrnoException): never {
    if (error instanceof Failure || error.syscall === undefined) throw error
    throw new Failure(
      'unavailable',
      `PLANTROOM_BROKER_ACCOUNTS: ${path} cannot be written (${error.code}); create its folder and let this user write to it`,
    )
  }

  onSecretChange(() => {
    if (state.wanted) return
    state.wanted = true
    writing = writing.then(async () => {
      state.wanted = false
      state.missing = await writeUntilDone({ path, store, cloud, clock, log, signal: state.closed.signal })
    })
  })
  if (state.missing > 0) {
    log.warn(
      { count: state.missing },
      'devices have no account in PLANTROOM_BROKER_ACCOUNTS and cannot connect: renew their credentials with "plantroom device credential"',
    )
  }

  return {
    get missing() {
      return state.missing
    },
    put: async (tx, deviceId, secret) => createAccountStore(tx).setPassword(deviceId, await hash(secret, DEVICE_COST)),
    // The hash goes with the row.
    remove: async () => {},
    async close() {
      state.closed.abort()
      await writing
    },
  }
}

/** Returns the account in MQTT_URL. The hash in the file stays while it fits, so that a restart changes nothing. */
async function cloudUser(url: string, path: string): Promise<NatsUser> {
  const { username, password } = new URL(url)
  if (!username || !password) {
    throw new Failure(
      'unavailable',
      'MQTT_URL: name a user and a password; PLANTROOM_BROKER_ACCOUNTS writes them for NATS',
    )
  }
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)]
  const before = findPassword(await readIfThere(path), user)
  const fits = before !== undefined && (await compare(secret, before))
  return { user, password: fits ? before : await hash(secret, CLOUD_COST) }
}

/** Returns the number of devices without an account. Retries until it succeeds or is aborted. */
async function writeUntilDone(deps: {
  path: string
  store: AccountStore
  cloud: NatsUser
  clock: Clock
  log: Log
  signal: AbortSignal
}): Promise<number> {
  const { path, store, cloud, clock, log, signal } = deps
  for (;;) {
    try {
      return await writeFile(path, store, cloud)
    } catch (error) {
      if (signal.aborted) return 0
      const problem = 'could not write the accounts for the broker; retrying'
      log.error({ path, error: (error as Error).message }, problem)
      await sleep(clock, RETRY_MS, signal)
    }
  }
}

async function writeFile(path: string, store: AccountStore, cloud: NatsUser): Promise<number> {
  const devices = await store.passwords()
  const users = devices.flatMap(({ id, password }) => (password === null ? [] : [{ user: id, password }]))
  const text = describeUsers(cloud, users)
  // The same content again would reload the broker for nothing.
  if (text !== (await readIfThere(path))) await replaceFile(path, text)
  return devices.length - users.length
}

/** Readers see the old file or the new one, also after a power cut. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    const file = await open(temporary, 'w', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
