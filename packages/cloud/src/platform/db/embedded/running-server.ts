import { realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { holderOf } from './holder.ts'
import { type Connection, layoutOf } from './layout.ts'
import { SERVICE_ROLE } from './service-role.ts'

/** The connection to the server that runs on the folder now; `undefined` when none does. Changes nothing. */
export async function runningServer(folder: string): Promise<Connection | undefined> {
  const found = await realpath(folder).catch(() => undefined)
  if (found === undefined) return undefined
  const holder = holderOf(layoutOf(found, await realpath(tmpdir())))
  return holder.kind === 'server' ? { ...holder.connection, user: SERVICE_ROLE } : undefined
}
