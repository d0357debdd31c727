import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 5_000
const POLL_MS = 50

/** Returns a process and its descendants, whatever group or session they moved to. Outside Linux, the process alone. */
export function treeOf(root: number): number[] {
  const children = Map.groupBy(runningProcesses(), (process) => process.parent)
  const tree = [root]
  for (const pid of tree) tree.push(...(children.get(pid) ?? []).map((child) => child.pid))
  return tree
}

/** Asks processes to end, and kills those still running after five seconds. */
export async function endProcesses(pids: readonly number[]): Promise<void> {
  for (const pid of pids) send(pid, 'SIGTERM')
  for (let waited = 0; waited < PATIENCE_MS && pids.some(isRunning); waited += POLL_MS) await sleep(POLL_MS)
  for (const pid of pids) send(pid, 'SIGKILL')
}

/** Sends a signal to a process, or with a negative id to its group. Does nothing when the process has ended. */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has already ended.
  }
}

function isRunning(pid: number): boolean {
  return statusOf(pid) !== undefined
}

function runningProcesses(): { pid: number; parent: number }[] {
  try {
    return readdirSync('/proc').flatMap((name) => statusOf(Number(name)) ?? [])
  } catch {
    return []
  }
}

function statusOf(pid: number): { pid: number; parent: number } | undefined {
  try {
    // `pid (name) state parent …`, and the name may contain any character.
    const [, state, parent] = /.*\) (\w) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return state === 'Z' ? undefined : { pid, parent: Number(parent) }
  } catch {
    return undefined
  }
}
