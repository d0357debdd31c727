import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isCampaign } from '@plantroom/testkit/repetitions'

/** Some compile for minutes. */
const LONGEST_MS = 1_800_000

/** A program of others that a package manager installs into a folder, where later campaigns find it. */
interface Peer {
  readonly name: string
  /** Exists when it is installed. */
  readonly program: string
  readonly commands: (folder: string) => readonly (readonly [program: string, ...args: string[]])[]
}

/**
 * Returns the path of the program, installed first if need be; `undefined`, and says why, where it cannot be installed. Nothing
 * is installed outside of campaigns.
 */
export function installed({ name, program, commands }: Peer): string | undefined {
  if (!isCampaign) return undefined
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'plantroom/peers', name)
  const path = join(folder, program)
  if (existsSync(path)) return path
  for (const [command, ...args] of commands(folder)) {
    const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: LONGEST_MS })
    if (error === undefined && status === 0) continue
    rmSync(folder, { recursive: true, force: true })
    const why = error?.message ?? stderr.trim().split('\n').at(-1)
    console.log(`skipped: ${name}, because ${command} ${args[0]} failed: ${why}`)
    return undefined
  }
  return path
}
