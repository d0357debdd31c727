import { createFairQueue, type FairQueueLimits, type Full } from '@plantroom/base/fair-queue'
import { Failure, quotaReached } from '@plantroom/contract/failure'
import { randomText } from '../secrets.ts'
import { createHashing, type Hashing } from './hashing.ts'

/** By network. One at a time: each takes 19 MiB and a core. */
const STRANGERS: FairQueueLimits = { atOnce: 1, waiting: 200, waitingPerGroup: 20 }
/** By person. Their place is never taken by strangers. */
const KNOWN: FairQueueLimits = { atOnce: 1, waiting: 200, waitingPerGroup: 10 }
const RETRY_S = 5

/** Whose password waits to be checked or hashed. */
export interface PasswordCaller {
  /** They proved something: they are signed in, have a link, or use a browser that signed in to this account before. */
  isKnown: boolean
  /** Known people wait by account, strangers by network. */
  group: string
  /** Aborted when the caller leaves. */
  signal?: AbortSignal
}

/** Checks and hashes passwords while it is the turn of a caller. */
export interface Hasher {
  hash(password: string): Promise<string>
  /** False for `null`, at the same cost, so that the time an answer takes does not reveal which users exist. */
  verify(passwordHash: string | null, password: string): Promise<boolean>
}

export interface Passwords {
  /** How many callers had no room to wait. */
  readonly refused: number
  /**
   * Runs `work` when it is the caller's turn, and only then gives it the means to hash. Networks are served in turn, and
   * known people do not wait for strangers. Rejects with `quota` or `unavailable` when too many wait.
   */
  inTurn<Result>(caller: PasswordCaller, work: (hasher: Hasher) => Promise<Result>): Promise<Result>
  /** Hashes the new password of a person who may set it. */
  hashFor(account: string, password: string): Promise<string>
}

export function createPasswords(hashing: Hashing = createHashing()): Passwords {
  let refused = 0
  let unusedHash: Promise<string> | undefined
  const refuse = (from: string) => (full: Full) => {
    refused += 1
    return full === 'group' ? tooManyFrom(from) : tooManyOfAll()
  }
  const strangers = createFairQueue(STRANGERS, refuse('from your network'))
  const known = createFairQueue(KNOWN, refuse('to your account'))

  const hasher: Hasher = {
    hash: (password) => hashing.hash(normalize(password)),
    async verify(passwordHash, password) {
      // Waited for by the first attempt of anybody: it must take as long for a user who exists.
      unusedHash ??= hashing.hash(randomText(40)).catch((error: unknown) => {
        unusedHash = undefined
        throw error
      })
      const unused = await unusedHash
      const isRight = await hashing.verify(passwordHash ?? unused, normalize(password))
      return isRight && passwordHash !== null
    },
  }

  return {
    get refused() {
      return refused
    },
    inTurn: ({ isKnown, group, signal }, work) => (isKnown ? known : strangers).run(group, () => work(hasher), signal),
    hashFor: (account, password) => known.run(account, () => hasher.hash(password)),
  }
}

const tooManyFrom = (from: string) =>
  quotaReached(`too many sign-ins ${from} are waiting: try again in ${RETRY_S} seconds`, RETRY_S)

const tooManyOfAll = () =>
  new Failure('unavailable', `too many people are signing in right now: try again in ${RETRY_S} seconds`, undefined, {
    retryAfterS: RETRY_S,
  })

/** Keyboards encode characters such as ä differently: normalization makes them equal. */
const normalize = (password: string): string => password.normalize('NFKC')
