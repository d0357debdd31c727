import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const MOST_OUTPUT = 64e6

/** Runs a program and returns what it prints. Rejects with its error output when it fails. */
export async function run(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { cwd, maxBuffer: MOST_OUTPUT, env: { ...process.env, ...env } })
    return stdout
  } catch (error) {
    const { stderr = '', stdout = '', message } = error as Error & { stderr?: string; stdout?: string }
    throw new Error((stderr + stdout).trim() || message)
  }
}

/** Returns the time of the last commit of a checkout, which its release gives to all files. */
export async function timeOfCommit(root: string): Promise<Date> {
  return new Date(Number(await run(['git', 'log', '-1', '--format=%ct'], root)) * 1000)
}
