import type { Clock } from '@plantroom/base/clock'
import { hashSecret } from './api-key.ts'
import type { SignInFailureStore } from './sign-in-failure-store.ts'

const STRETCH_MS = 15 * 60_000
/** Many people of one office come from one address. */
const PER_ADDRESS = 50
const PER_ACCOUNT_AND_ADDRESS = 5
/** Looser, or whoever knows an e-mail address could lock its owner out at will. */
const PER_ACCOUNT = 100

export interface Attempt {
  /** The password was right: what was counted for it is taken back. */
  succeeded(): Promise<void>
}

/** A bound on guessing passwords, counted in the database. */
export interface SignInThrottle {
  /** To be asked before a password is looked at: it counts as failed until it `succeeded`. */
  begin(email: string, address: string): Promise<Attempt | { retryAfterMs: number }>
}

export function createSignInThrottle(deps: { store: SignInFailureStore; clock: Clock }): SignInThrottle {
  const { store, clock } = deps
  return {
    async begin(email, address) {
      const pair = hashSecret(JSON.stringify(['pair', email, address]))
      const ofAddress = hashSecret(JSON.stringify(['address', address]))
      const ofAccount = hashSecret(JSON.stringify(['account', email]))
      // The closest first: what is refused there counts against nobody else.
      const bounds = [
        [pair, PER_ACCOUNT_AND_ADDRESS],
        [ofAddress, PER_ADDRESS],
        [ofAccount, PER_ACCOUNT],
      ] as const
      for (const [subject, limit] of bounds) {
        const now = clock.now()
        const stretchEnd = new Date(now + STRETCH_MS)
        const { failures, endsAt } = await store.count(subject, { now: new Date(now), stretchEnd, limit })
        if (failures > limit) return { retryAfterMs: Math.max(1000, endsAt.getTime() - now) }
      }
      return {
        async succeeded() {
          await store.clear(pair)
          await store.takeBack(ofAddress)
          await store.takeBack(ofAccount)
        },
      }
    },
  }
}
