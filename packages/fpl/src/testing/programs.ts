import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** True if the program is not installed. Suites that need it are skipped. */
export function without(program: string): boolean {
  return !(process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Runs a program in a folder and returns its output. Throws with its error output if it fails. */
export function run(
  folder: string,
  [program = '', ...args]: readonly string[],
  options: { env?: Record<string, string>; input?: Uint8Array } = {},
): Buffer {
  const { env = {}, input } = options
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    // UTF-8 names, whatever the locale of the machine.
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...env },
    maxBuffer: 1e9,
    ...(input && { input }),
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} exited with status ${status}: ${stderr}${stdout.subarray(0, 1_000)}`)
  return stdout
}
