import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { keepBinaries } from './kept-binaries.ts'
import type { Connection } from './layout.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts'
import { messageOf } from './unavailable.ts'

const LOOK_MS = 500
/** Between attempts to start a server that does not start. */
const RETRY_MS = 2_000

/** A data folder that is worth keeping has been in use for a while. */
const KEEP_BINARIES_MS = 60_000

/** An embedded server that is started again when it dies. */
export interface KeptPostgres {
  /** Stays the same when the server is started again. */
  readonly connection: Connection
  /** How often the server was started again. */
  readonly restarts: number
  /** Stops the server for good. Safe to call again. */
  stop(): Promise<void>
}

interface Options {
  folder: string
  clock: Clock
  log: Log
}

interface State {
  server: EmbeddedPostgres
  restarts: number
  isStopping: boolean
  /** A start that is under way, or the last one. Never rejects. */
  starting: Promise<void>
  cancelLook(): void
}

/**
 * Starts the server of `folder` like `startEmbeddedPostgres`, and looks twice a second whether it still runs: the kernel
 * kills it when memory runs out, and so may an operator. Its own log makes the data complete again.
 */
export async function keepEmbeddedPostgres(options: Options): Promise<KeptPostgres> {
  const state: State = {
    server: await startEmbeddedPostgres(options),
    restarts: 0,
    isStopping: false,
    starting: Promise.resolve(),
    cancelLook: () => {},
  }
  const { connection } = state.server
  lookAfter(LOOK_MS, state, options)
  const cancelKeeping = options.clock.after(KEEP_BINARIES_MS, () => void keepBinaries(options.folder, options.log))
  return {
    connection,
    get restarts() {
      return state.restarts
    },
    async stop() {
      state.isStopping = true
      state.cancelLook()
      cancelKeeping()
      await state.starting
      await state.server.stop()
    },
  }
}

function lookAfter(ms: number, state: State, options: Options): void {
  state.cancelLook = options.clock.after(ms, () => {
    if (state.server.isRunning()) return lookAfter(LOOK_MS, state, options)
    state.starting = startAgain(state, options)
  })
}

async function startAgain(state: State, options: Options): Promise<void> {
  const { log } = options
  log.error({ serverPid: state.server.pid }, 'the database server has died; starting it again')
  let nextLookMs = LOOK_MS
  try {
    state.server = await startEmbeddedPostgres(options)
    state.restarts += 1
    log.warn({ serverPid: state.server.pid }, 'the database server runs again')
  } catch (error) {
    nextLookMs = RETRY_MS
    log.error(`${messageOf(error)}; trying again in ${RETRY_MS / 1000} s`)
  }
  if (!state.isStopping) lookAfter(nextLookMs, state, options)
}
