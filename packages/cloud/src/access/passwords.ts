import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import { Failure } from '@plantroom/contract/failure'
import { randomText } from './api-key.ts'

/** Each takes 19 MiB, and one of the four threads that also read files. */
const AT_ONCE = 2
const WAITING = 100

/** Argon2id, by default as the library has it: what it costs is meant to be much. */
interface Hashing {
  hash(password: string): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

export interface Passwords {
  hash(password: string): Promise<string>
  /** False also for nobody's (`null`), at the same cost: how long it takes does not tell whom we know. */
  verify(passwordHash: string | null, password: string): Promise<boolean>
}

/** Hashes passwords, a few at a time; when too many wait, it rejects with `unavailable`. */
export async function createPasswords(
  hashing: Hashing = { hash: (password) => argon2Hash(password), verify: (hash, text) => argon2Verify(hash, text) },
): Promise<Passwords> {
  const nobodys = await hashing.hash(randomText(40))
  const waiting: (() => void)[] = []
  let underWay = 0

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (underWay < AT_ONCE) underWay += 1
    else if (waiting.length >= WAITING) {
      throw new Failure('unavailable', 'too many people sign in at this moment: try again in a minute')
    } else await new Promise<void>((resolve) => void waiting.push(resolve))
    try {
      return await work()
    } finally {
      // Whoever finishes hands its place on, so the count stays as it is.
      const next = waiting.shift()
      if (next) next()
      else underWay -= 1
    }
  }

  return {
    hash: (password) => inTurn(() => hashing.hash(asTyped(password))),
    verify: (passwordHash, password) =>
      inTurn(async () => {
        const isRight = await hashing.verify(passwordHash ?? nobodys, asTyped(password))
        return isRight && passwordHash !== null
      }),
  }
}

/** One text for what looks the same: keyboards differ in how they send ä. */
const asTyped = (password: string): string => password.normalize('NFKC')
