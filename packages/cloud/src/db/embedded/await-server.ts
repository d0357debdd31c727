import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { ask } from './ask.ts'
import { openFolder } from './folders.ts'
import { holderOf } from './holder.ts'
import type { Connection } from './layout.ts'
import { isSameFolder } from './processes.ts'

const POLL_MS = 250

/**
 * Where the server of `folder` is found, once it serves: for a process that works beside the one that runs it. Starts
 * none and ends none. Undefined when `signal` aborts before.
 */
export async function awaitEmbeddedPostgres(options: {
  folder: string
  clock: Clock
  log: Log
  signal: AbortSignal
}): Promise<Connection | undefined> {
  const { clock, log, signal } = options
  const layout = await openFolder(options.folder)
  let told = false
  while (!signal.aborted) {
    const holder = holderOf(layout)
    if (holder.kind === 'server') {
      const answer = await ask(holder.connection)
      if (answer.kind === 'ready' && isSameFolder(answer.dataFolder, layout.data)) return holder.connection
    }
    if (!told) log.info({ folder: layout.folder }, 'waiting for the database: it comes with "plantroom cloud"')
    told = true
    await sleep(clock, POLL_MS, signal)
  }
  return undefined
}
