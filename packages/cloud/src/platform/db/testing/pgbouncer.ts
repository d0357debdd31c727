import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@plantroom/testkit/eventually'
import { canConnect, freePort } from '@plantroom/testkit/free-port'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { onTestFinished } from 'vitest'
import { startProxy } from './proxy.ts'

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(existsSync)

/** When true, suites that need PgBouncer are skipped. */
export const withoutPgBouncer = PROGRAM === undefined

/** Starts a real PgBouncer in front of the database until the test ends, and returns its address. */
export async function startPgBouncer(databaseUrl: string, mode: 'transaction' | 'session'): Promise<string> {
  const direct = new URL(databaseUrl)
  // Its user may not open the socket of the test server.
  const { host, port } = (await startProxy(databaseUrl)).address
  const folder = temporaryFolder()
  const own = await freePort()
  const lines = [
    '[databases]',
    `* = host=${host} port=${port} user=${direct.username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${mode}`,
    'max_client_conn = 200',
    'default_pool_size = 40',
    'ignore_startup_parameters = extra_float_digits,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    // It does not run as root.
    ...(process.getuid?.() === 0 ? ['user = nobody'] : []),
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, `${lines.join('\n')}\n`)
  if (process.getuid?.() === 0) chownSync(folder, 65_534, 65_534)
  const child = spawn(PROGRAM ?? 'pgbouncer', ['-q', file], { stdio: 'ignore' })
  const gone = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  await eventually(() => canConnect(own))
  return `postgresql://${direct.username}@127.0.0.1:${own}${direct.pathname}`
}
