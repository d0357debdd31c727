import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { Failure } from '@plantroom/contract/failure'
import { randomText } from '../secrets.ts'

/** Each takes 19 MiB and one of the four threads that also read files. */
const MAX_RUNNING = 2
const MAX_QUEUED = 100

/** How passwords are hashed. */
export interface Hashing {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

export interface Passwords {
  hash(password: string): Promise<string>
  /** False for `null`, at the same cost, so that the time an answer takes does not reveal which users exist. */
  verify(passwordHash: string | null, password: string): Promise<boolean>
}

/** Argon2id with the library's defaults, which are deliberately expensive. */
const EXPENSIVE: Hashing = {
  hash: (password) => argon2Hash(password),
  verify: (hash, password) => argon2Verify(hash, password),
}

/** Hashes passwords, a few at a time. Rejects with `unavailable` when too many are queued. */
export function createPasswords(hashing = EXPENSIVE): Passwords {
  let unusedHash: Promise<string> | undefined
  const queue: (() => void)[] = []
  let running = 0

  async function runLimited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running < MAX_RUNNING) running += 1
    else if (queue.length >= MAX_QUEUED) {
      throw new Failure('unavailable', 'too many people are signing in right now: try again in a minute')
    } else await new Promise<void>((resolve) => void queue.push(resolve))
    try {
      return await work()
    } finally {
      // The next in the queue takes over this slot, so the count stays the same.
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }

  return {
    hash: (password) => runLimited(() => hashing.hash(normalize(password))),
    verify: (passwordHash, password) =>
      runLimited(async () => {
        // Waited for by the first attempt of anybody: it must take as long for a user who exists.
        unusedHash ??= hashing.hash(randomText(40))
        const unused = await unusedHash
        const isRight = await hashing.verify(passwordHash ?? unused, normalize(password))
        return isRight && passwordHash !== null
      }),
  }
}

/** Keyboards encode characters such as ä differently: normalization makes them equal. */
const normalize = (password: string): string => password.normalize('NFKC')
