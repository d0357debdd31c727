import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { userInfo } from 'node:os'
import { text } from 'node:stream/consumers'
import { lastError } from './server-logs.ts'
import { messageOf, unavailable } from './unavailable.ts'

/** A way to start the server's programs as a user they accept. */
export type RunAs = 'self' | 'namespace' | 'nobody' | 'nobodyWithAccess'

/** The arguments of `spawn`. */
interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly options: SpawnOptions
}

export const NOBODY = 65_534

/**
 * The ways to try, best first. Pure.
 *
 * The server refuses root, and initdb refuses a user without a name. In a user namespace, the process sees itself as
 * `nobody` but keeps the rights of the caller: files stay the caller's, and private folders stay accessible. Containers
 * often forbid namespaces. There, root becomes `nobody`, if necessary with the right to pass through private folders.
 */
export function waysToRun(caller: { uid: number; hasName: boolean }, dataOwner: number | undefined): readonly RunAs[] {
  if (caller.uid !== 0) return caller.hasName ? ['self'] : ['namespace', 'self']
  return dataOwner === NOBODY ? ['nobody', 'nobodyWithAccess'] : ['namespace', 'nobody', 'nobodyWithAccess']
}

/** True when the server's files must belong to `nobody`. */
export function isNobody(way: RunAs): boolean {
  return way === 'nobody' || way === 'nobodyWithAccess'
}

export function commandFor(way: RunAs, program: string, args: readonly string[], libraries: string): Command {
  const options: SpawnOptions = {
    cwd: '/',
    // Not inherited: variables like PGDATA, PGOPTIONS and LANG would change what the server does.
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      LC_ALL: 'C',
      LD_LIBRARY_PATH: libraries,
    },
  }
  switch (way) {
    case 'self':
      return { program, args, options }
    case 'namespace': {
      const mapping = ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`]
      return { program: 'unshare', args: [...mapping, program, ...args], options }
    }
    case 'nobody':
      return { program, args, options: { ...options, uid: NOBODY, gid: NOBODY } }
    case 'nobodyWithAccess': {
      const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
      const access = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--bounding-set=-all,+dac_override']
      return { program: 'setpriv', args: [...user, ...access, program, ...args], options }
    }
  }
}

/** Chooses the first way that can run the program and enter the folder. */
export async function chooseWayToRun(
  target: { program: string; folder: string },
  dataOwner: number | undefined,
): Promise<RunAs> {
  const caller = { uid: process.getuid?.() ?? 0, hasName: hasName() }
  const errors: string[] = []
  for (const way of waysToRun(caller, dataOwner)) {
    const { ok, output } = await run(commandFor(way, '/bin/sh', ['-c', PROBE, target.folder, target.program], ''))
    if (ok) return way
    errors.push(`${DESCRIPTIONS[way]}: ${lastError(output)}`)
  }
  throw unavailable(
    `The embedded PostgreSQL cannot run in ${target.folder} (${errors.join('; ')}): start Plantroom as an ordinary user, or choose a data folder that every user may enter, or set DATABASE_URL`,
  )
}

/** Runs a program to completion and returns its output. Never rejects. */
export async function run({ program, args, options }: Command): Promise<{ ok: boolean; output: string }> {
  try {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const outputs = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
    const [code, signal] = await once(child, 'close')
    const output = (await outputs).join('')
    return { ok: code === 0, output: signal ? `${output}\nerror: ended by ${signal}` : output }
  } catch (error) {
    return { ok: false, output: messageOf(error) }
  }
}

const PROBE = 'cd "$0" || exit; test -x "$1" || { echo "$1 cannot be reached"; exit 1; }'

const DESCRIPTIONS: Record<RunAs, string> = {
  self: 'as this user',
  namespace: 'in a user namespace',
  nobody: 'as the user nobody',
  nobodyWithAccess: 'as the user nobody with access to all folders',
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}
