import { spawn } from 'node:child_process'
import { inBackground } from './clock.ts'

/** Between two signs of life, without a watchdog that asks for them more often. */
const BEAT_MS = 10_000
/** Signs of life within the time after which the watchdog ends the program. */
const BEATS_PER_WATCHDOG = 3
/** A program that has not started by then waits for others, for example for its database. It counts as healthy. */
const LONGEST_START_MS = 30_000
/** The variables of the protocol sd_notify. */
const NAMES = ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'] as const

/** How to reach the service manager that started this program. */
export interface ServiceManager {
  socket: string
  path: string | undefined
  /** The service manager kills the program after this time without a sign of life. */
  watchdogMs: number | undefined
}

/**
 * Takes the variables that systemd sets for a service out of the environment, so that no program that this one starts
 * speaks in its name. Returns nothing if there is no service manager.
 */
export function takeServiceManager(env: Record<string, string | undefined>): ServiceManager | undefined {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: limit, WATCHDOG_PID: pid = String(process.pid), PATH: path } = env
  for (const name of NAMES) delete env[name]
  if (!socket) return undefined
  const watchdogMs = pid === String(process.pid) && Number(limit) > 0 ? Number(limit) / 1000 : undefined
  return { socket, path, watchdogMs }
}

/** What a program reports to its service manager. */
export interface Notifier {
  ready(): void
  stopping(): void
}

/**
 * Sends signs of life from now on, from the event loop: if that is blocked, the service manager restarts the program.
 * `systemd-notify` sends them, because Node has no sockets of this kind. Calls `onFailure` once if it cannot be started.
 */
export function notifyServiceManager(
  { socket, path, watchdogMs }: ServiceManager,
  onFailure: (error: Error) => void,
): Notifier {
  let hasFailed = false
  let state: readonly string[] = []
  const send = () => {
    const args = ['WATCHDOG=1', ...state]
    const env = { NOTIFY_SOCKET: socket, PATH: path }
    const child = spawn('systemd-notify', args, { env, stdio: 'ignore', timeout: BEAT_MS })
    child.once('error', (error) => {
      if (!hasFailed) onFailure(error)
      hasFailed = true
    })
    child.unref()
  }
  // Each sign of life repeats the state, so that none is lost with a child that could not be started.
  const enter = (...next: string[]) => {
    stopWaiting()
    state = next
    send()
  }
  const stopWaiting = inBackground(LONGEST_START_MS, () => enter('READY=1', 'STATUS=starting'))
  inBackground(watchdogMs ? watchdogMs / BEATS_PER_WATCHDOG : BEAT_MS, send)
  return {
    ready: () => enter('READY=1', 'STATUS=ready'),
    stopping: () => enter('STOPPING=1', 'STATUS=stopping'),
  }
}
