import type { Clock } from '@plantroom/base/clock'
import { type QuotaStore, quotaSubject } from '../quota-store.ts'

const PERIOD_MS = 15 * 60_000
const PER_ACCOUNT_AND_ADDRESS = 5
/** Everyone in an office, or behind a proxy that is not trusted, shares one address. */
const PER_ADDRESS = 50
/** What each account may still fail from an address above its limit: one account never stops another. */
const PER_ACCOUNT_AND_BUSY_ADDRESS = 2
/** Looser, so that someone who knows an e-mail address cannot easily keep its owner from a new browser. */
const PER_ACCOUNT = 100

/**
 * Of codes per account. Only someone who has proved a first factor can fail here, so it is strict, and the wait grows: six
 * digits are few.
 */
const CODES_PER_ACCOUNT = 20

/** Who tries to sign in. */
export interface Attempter {
  email: string
  /** A right password does not forgive wrong second factors. */
  what?: 'password' | 'second factor'
  /** The network of the caller. */
  address: string
  /** The browser, if it signed in to this account before. Only its own failures count against it. */
  knownDevice: string | undefined
  /** The account was used from this network before: failures elsewhere do not count against it. */
  isKnownAddress: boolean
}

export interface Attempt {
  /** The password was correct: forgives the failures before it. */
  succeeded(): Promise<void>
  /** The password was not checked: takes back the count of this attempt. */
  withdraw(): Promise<void>
}

/** Limits how often passwords can be guessed. The counts are in the database. */
export interface SignInThrottle {
  /** Call before checking a password: the attempt counts as failed until it `succeeded` or is withdrawn. */
  begin(attempter: Attempter): Promise<Attempt | { retryAfterMs: number }>
}

type Store = Pick<QuotaStore, 'count' | 'clear' | 'uncount'>

export function createSignInThrottle({ store, clock }: { store: Store; clock: Clock }): SignInThrottle {
  async function count(subject: Buffer, limit: number, grows: boolean) {
    const now = clock.now()
    const period = { now: new Date(now), periodEnd: new Date(now + PERIOD_MS), limit, grows }
    const counted = await store.count(subject, period)
    return { count: counted.count, retryAfterMs: Math.max(1000, counted.endsAt.getTime() - now) }
  }

  /** What a limit refused was not checked: it does not count for narrower ones. */
  async function takeBack(...subjects: Buffer[]): Promise<void> {
    for (const subject of subjects) await store.uncount(subject)
  }

  return {
    async begin({ email, address, knownDevice, isKnownAddress, what = 'password' }) {
      const isCode = what === 'second factor'
      const subject = (...parts: string[]) => quotaSubject(isCode ? [what, ...parts] : parts)
      if (knownDevice !== undefined) {
        const own = subject('device', email, knownDevice)
        const { count: failures, retryAfterMs } = await count(own, PER_ACCOUNT_AND_ADDRESS, true)
        if (failures > PER_ACCOUNT_AND_ADDRESS) return { retryAfterMs }
        return { succeeded: () => store.clear(own), withdraw: () => store.uncount(own) }
      }
      const pair = subject('pair', email, address)
      const ofAddress = subject('address', address)
      const ofAccount = subject('account', email)
      // The narrowest limit first, so that an attempt it refuses does not count against others.
      const here = await count(pair, PER_ACCOUNT_AND_ADDRESS, true)
      if (here.count > PER_ACCOUNT_AND_ADDRESS) return here
      const busy = await count(ofAddress, PER_ADDRESS, false)
      if (busy.count > PER_ADDRESS && here.count > PER_ACCOUNT_AND_BUSY_ADDRESS) {
        await takeBack(pair, ofAddress)
        return here
      }
      const perAccount = isCode ? CODES_PER_ACCOUNT : PER_ACCOUNT
      // For passwords this does not grow: anyone who knows an address could keep its owner from new browsers.
      const everywhere = await count(ofAccount, perAccount, isCode)
      if (everywhere.count > perAccount && (isCode || !isKnownAddress)) {
        await takeBack(pair, ofAddress)
        return everywhere
      }
      return {
        async succeeded() {
          await store.clear(pair)
          await takeBack(ofAddress, ofAccount)
        },
        withdraw: () => takeBack(pair, ofAddress, ofAccount),
      }
    },
  }
}
