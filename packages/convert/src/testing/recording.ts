import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sleep, systemClock } from '@plantroom/base/clock'

/**
 * Returns the shell commands of a page of the documentation after the first block, which only sets variables. Recorders run
 * them, so that the golden files come from the documented commands.
 */
export function documentedCommands(page: string): string[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands ?? '')
  return blocks.slice(1)
}

/** Runs commands in a folder and throws what they say if they fail. */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): void {
  const done = spawnSync(command, args, { ...options, env: { ...process.env, ...options.env }, encoding: 'utf8' })
  if (done.status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${done.stdout}${done.stderr}${done.error ?? ''}`)
}

/** Starts a server and returns a function that ends it, once its address answers. */
export async function serve(
  address: string,
  command: readonly [string, ...string[]],
  options: { cwd: string; env: Record<string, string> },
): Promise<() => Promise<void>> {
  const [program, ...args] = command
  const server = spawn(program, args, { ...options, env: { ...process.env, ...options.env }, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  for (let tries = 0; ; tries += 1) {
    const isUp = await fetch(address).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) break
    if (tries > 60 || server.exitCode !== null) throw new Error(`${program} does not answer at ${address}`)
    await sleep(systemClock, 1000)
  }
  return async () => {
    server.kill()
    await ended
  }
}

/** Counts with the program's own database: one query per name. */
export function count(database: string, queries: Readonly<Record<string, string>>): Record<string, number> {
  const db = new DatabaseSync(database, { readOnly: true })
  const counted = Object.entries(queries).map(([name, query]) => [
    name,
    Number(Object.values(db.prepare(query).get() ?? {})[0]),
  ])
  db.close()
  return Object.fromEntries(counted)
}
