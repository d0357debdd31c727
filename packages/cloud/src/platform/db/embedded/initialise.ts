import { chown, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { type Connection, connectionIn, type Layout } from './layout.ts'
import { commandFor, isNobody, NOBODY, type RunAs, run } from './run-as.ts'
import { lastError } from './server-logs.ts'
import { unavailable } from './unavailable.ts'

/**
 * Creates the data of a new server atomically: `layout.data` appears once it is complete and on disk. Removes what
 * earlier attempts left incomplete. The caller holds the launch lock.
 */
export async function initialise(layout: Layout, binaries: Binaries, way: RunAs): Promise<void> {
  await removeAttempts(layout)
  const attempt = await mkdtemp(attemptPrefix(layout))
  if (isNobody(way)) await chown(attempt, NOBODY, NOBODY)
  const args = initdbArguments(attempt, connectionIn(layout.runtime))
  const { ok, output } = await run(commandFor(way, binaries.initdb, args, layout.libraries))
  if (!ok) {
    await removeAttempts(layout)
    throw unavailable(
      `The embedded PostgreSQL could not create its data in ${layout.folder} (${lastError(output)}): fix that and start again, or set DATABASE_URL`,
    )
  }
  await rename(attempt, layout.data)
  await flush(layout.folder)
}

/** The arguments of `initdb`, for a cluster that does not depend on the machine's locale and time zone. */
function initdbArguments(folder: string, connection: Connection): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${connection.user}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    // Written to postgresql.conf, where an operator may change them.
    '--set=max_connections=100',
    '--set=shared_buffers=32MB',
    '--set=timezone=UTC',
  ]
}

async function removeAttempts(layout: Layout): Promise<void> {
  const prefix = basename(attemptPrefix(layout))
  for (const name of await readdir(layout.folder)) {
    if (!name.startsWith(prefix)) continue
    // An initdb that outlived its parent may still write there. It fails without its folder, and the next start removes
    // what it left.
    await rm(join(layout.folder, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
}

function attemptPrefix(layout: Layout): string {
  return `${layout.data}.new-`
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
