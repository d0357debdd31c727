import type { Clock } from '@plantroom/base/clock'
import { hashSecret } from '../secrets.ts'
import type { SignInFailureStore } from './sign-in-failure-store.ts'

const PERIOD_MS = 15 * 60_000
/** Everyone in an office shares one address. */
const PER_ADDRESS = 50
const PER_ACCOUNT_AND_ADDRESS = 5
/** Looser, so that someone who knows an e-mail address cannot lock its owner out. */
const PER_ACCOUNT = 100

export interface Attempt {
  /** The password was correct: undoes the count of this attempt. */
  succeeded(): Promise<void>
}

/** Limits how often passwords can be guessed. The counts are in the database. */
export interface SignInThrottle {
  /** Call before checking a password: the attempt counts as failed until it `succeeded`. */
  begin(email: string, address: string): Promise<Attempt | { retryAfterMs: number }>
}

export function createSignInThrottle(deps: { store: SignInFailureStore; clock: Clock }): SignInThrottle {
  const { store, clock } = deps
  return {
    async begin(email, address) {
      const pair = hashSecret(JSON.stringify(['pair', email, address]))
      const ofAddress = hashSecret(JSON.stringify(['address', address]))
      const ofAccount = hashSecret(JSON.stringify(['account', email]))
      // The narrowest limit first, so that an attempt it refuses does not count against others.
      const bounds = [
        [pair, PER_ACCOUNT_AND_ADDRESS],
        [ofAddress, PER_ADDRESS],
        [ofAccount, PER_ACCOUNT],
      ] as const
      for (const [subject, limit] of bounds) {
        const now = clock.now()
        const periodEnd = new Date(now + PERIOD_MS)
        const { failures, endsAt } = await store.count(subject, { now: new Date(now), periodEnd, limit })
        if (failures > limit) return { retryAfterMs: Math.max(1000, endsAt.getTime() - now) }
      }
      return {
        async succeeded() {
          await store.clear(pair)
          await store.decrement(ofAddress)
          await store.decrement(ofAccount)
        },
      }
    },
  }
}
