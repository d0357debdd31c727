import { Failure } from '@plantroom/contract/failure'
import type { UnitSession } from './unit-session.ts'
import { unlessAborted } from './unless-aborted.ts'

/** The session of a driver, from its first `open` to its `close`. */
export interface DriverSession {
  open(signal: AbortSignal): Promise<void>
  /** Returns the session. Throws when there is none. */
  get(): UnitSession
  close(): void
}

/** `name` is the name of the endpoint in messages. */
export function createDriverSession(name: string, join: () => UnitSession): DriverSession {
  let session: UnitSession | undefined

  function close() {
    session?.leave()
    session = undefined
  }

  return {
    async open(signal) {
      session ??= join()
      try {
        await unlessAborted(session.connect(), signal)
      } catch (error) {
        // After any other failure the session stays: a write may find that the host is back.
        if (signal.aborted) close()
        throw error
      }
    },
    get() {
      if (!session) throw new Failure('offline', `the connection to ${name} is not open`)
      return session
    },
    close,
  }
}
