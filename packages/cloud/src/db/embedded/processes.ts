import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Layout } from './layout.ts'

type Names = Pick<Layout, 'data' | 'clusterName'>

/** Every live process of this folder's server, including those that outlived their postmaster. */
export function processesOf(names: Names): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      const commandLine = commandLineOf(pid)
      return isChildOf(commandLine, names) || isPostmasterOf(commandLine, names)
    })
}

/** True when `pid` is this folder's postmaster. The system may have reused the number for another process. */
export function isPostmaster(pid: number, names: Names): boolean {
  return isPostmasterOf(commandLineOf(pid), names)
}

/** True when the number is in use, even by a zombie or a kernel thread: the server would respect its lock. */
export function isTaken(pid: number): boolean {
  return existsSync(`/proc/${pid}`)
}

/** False when the process no longer exists. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function isChildOf(commandLine: string, { clusterName }: Names): boolean {
  return commandLine.startsWith(`postgres: ${clusterName}: `)
}

function isPostmasterOf(commandLine: string, { data }: Names): boolean {
  const [program, option, folder] = commandLine.split('\0')
  if (!program || basename(program) !== 'postgres' || option !== '-D' || !folder) return false
  return folder === data || isSameFolder(folder, data)
}

export function isSameFolder(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)]
    return a.dev === b.dev && a.ino === b.ino
  } catch {
    return false
  }
}

/** Empty for a process that no longer exists, and for a zombie, which holds nothing. */
function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
