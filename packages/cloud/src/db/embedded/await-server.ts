import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { ask } from './ask.ts'
import { openFolder } from './folders.ts'
import { holderOf } from './holder.ts'
import type { Connection } from './layout.ts'
import { isSameFolder } from './processes.ts'

const POLL_MS = 250

/**
 * Waits for the server of `folder` and returns its address, for a process beside the one that runs it. Never starts or
 * stops a server. Resolves with undefined when `signal` aborts.
 */
export async function awaitEmbeddedPostgres(options: {
  folder: string
  clock: Clock
  log: Log
  signal: AbortSignal
}): Promise<Connection | undefined> {
  const { clock, log, signal } = options
  const layout = await openFolder(options.folder)
  let logged = false
  while (!signal.aborted) {
    const holder = holderOf(layout)
    if (holder.kind === 'server') {
      const answer = await ask(holder.connection)
      if (answer.kind === 'ready' && isSameFolder(answer.dataFolder, layout.data)) return holder.connection
    }
    if (!logged) log.info({ folder: layout.folder }, 'waiting for the database, which "plantroom cloud" starts')
    logged = true
    await sleep(clock, POLL_MS, signal)
  }
  return undefined
}
