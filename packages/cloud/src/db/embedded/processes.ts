import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Layout } from './layout.ts'

type Names = Pick<Layout, 'data' | 'clusterName'>

/** Every live process of the server of this folder, also those that outlived their postmaster. */
export function processesOf(names: Names): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      const commandLine = commandLineOf(pid)
      return isChildOf(commandLine, names) || isPostmasterOf(commandLine, names)
    })
}

/** Whether `pid` is this folder's postmaster: a number alone may have been given to another process since. */
export function isPostmaster(pid: number, names: Names): boolean {
  return isPostmasterOf(commandLineOf(pid), names)
}

/** Whether the number is taken, be it by a zombie or a thread of the kernel: the server would believe its lock. */
export function isTaken(pid: number): boolean {
  return existsSync(`/proc/${pid}`)
}

/** False when the process is gone already. */
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

/** Empty for a process that is gone, and for a zombie: its parent may never collect it, and it holds nothing. */
function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
