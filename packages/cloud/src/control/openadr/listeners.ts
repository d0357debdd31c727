import { createBackoff } from '@plantroom/base/backoff'
import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Guard } from '../../platform/outbound/index.ts'
import { listenAtBroker } from './listen-at-broker.ts'
import type { FoundBroker, StoredProgram } from './program-store.ts'
import type { VtnSessions } from './vtn-sessions.ts'

/** The most brokers at which a process listens. The others are polled. */
const MAX_LISTENERS = 1_000
/** A program that this process has not polled for so long has another one, or was removed: an hour passes at most. */
const FORGOTTEN_MS = 2 * 3_600_000
/** Announcements that arrive within this time wake once. */
const TOGETHER_MS = 100

/** Listens at the brokers of VTNs, one connection for each program that this process polls. */
export interface Listeners {
  /** Listens from now on as the VTN says; `null` no longer. */
  follow(program: StoredProgram, broker: FoundBroker | null): void
  /** True while what is announced arrives. */
  hears(programId: string): boolean
  close(): void
}

interface Listener {
  key: string
  polledAt: number
  isConnected: boolean
  ending: AbortController
}

export function createListeners(deps: {
  guard: Pick<Guard, 'resolve'>
  sessions: Pick<VtnSessions, 'open'>
  /** Polls a program soon. False when there is no such program to poll. */
  wake(programId: string): Promise<boolean>
  clock: Clock
  log: Log
}): Listeners {
  const { guard, sessions, wake, clock, log } = deps
  const listeners = new Map<string, Listener>()

  function end(programId: string): void {
    listeners.get(programId)?.ending.abort()
    listeners.delete(programId)
  }

  /** Connects again and again until the listener is ended. */
  async function listen(program: StoredProgram, broker: FoundBroker, listener: Listener): Promise<void> {
    const { signal } = listener.ending
    const backoff = createBackoff(clock)
    const announced = together(clock, async () => {
      if (!signal.aborted && !(await wake(program.id)) && listeners.get(program.id) === listener) end(program.id)
    })
    while (!signal.aborted) {
      const token = () => sessions.open(program).token()
      const reason = await listenAtBroker(
        broker,
        { guard, token, signal },
        {
          connected() {
            backoff.connected()
            listener.isConnected = true
            // What changed while nobody listened.
            announced()
          },
          announced,
        },
      ).catch((error: Error) => error.message)
      listener.isConnected = false
      if (!signal.aborted)
        log.debug({ programId: program.id, reason }, 'not connected to the broker of a VTN; retrying')
      await sleep(clock, backoff.next(), signal)
    }
  }

  return {
    follow(program, broker) {
      const now = clock.monotonic()
      for (const [id, { polledAt }] of listeners) if (now - polledAt > FORGOTTEN_MS) end(id)
      const key = JSON.stringify([broker, program.settings, program.secret.toString('base64')])
      const known = listeners.get(program.id)
      if (known?.key === key) known.polledAt = now
      if (known?.key === key) return
      end(program.id)
      if (!broker || listeners.size >= MAX_LISTENERS) return
      const listener = { key, polledAt: now, isConnected: false, ending: new AbortController() }
      listeners.set(program.id, listener)
      void listen(program, broker, listener)
    },
    hears: (programId) => listeners.get(programId)?.isConnected ?? false,
    close() {
      for (const id of listeners.keys()) end(id)
    },
  }
}

/** Runs `action` now, and once more for all calls of the next moment. */
function together(clock: Clock, action: () => Promise<void>): () => void {
  let [isPaused, isCalled] = [false, false]
  const run = () => {
    isCalled = false
    isPaused = true
    // What fails is found by the next poll.
    void action().catch(() => {})
    clock.after(TOGETHER_MS, () => {
      isPaused = false
      if (isCalled) run()
    })
  }
  return () => {
    isCalled = true
    if (!isPaused) run()
  }
}
