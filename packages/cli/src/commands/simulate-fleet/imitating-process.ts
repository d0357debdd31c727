import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { programFile } from '@plantroom/base/program-file'
import type { ConfirmedHistory, FleetMessage, FleetSimulation, FleetStatus } from '@plantroom/contract/fleet-simulation'

const PROGRAM = programFile(join(import.meta.dirname, '../../../../simulator/src/fleet/main.ts'))
/** Thousands of batches a second are much garbage, which a small young generation collects too often. */
const NODE_FLAGS = ['--max-semi-space-size=16']

/** How a run ended: what was counted, and what the cloud has confirmed. */
export interface FleetEnd {
  status: FleetStatus | undefined
  confirmed: readonly ConfirmedHistory[]
}

/** The process that imitates the controllers. */
export interface ImitatingProcess {
  /** The latest counts. */
  readonly status: FleetStatus | undefined
  /** Lets the controllers announce that they go offline. Called again, it ends the process at once. */
  stop(): void
  readonly ended: Promise<FleetEnd>
}

export function startImitating(settings: FleetSimulation): ImitatingProcess {
  const child = fork(PROGRAM, [], {
    execArgv: [...process.execArgv, ...NODE_FLAGS],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.send(settings)
  let status: FleetStatus | undefined
  let isStopping = false
  child.on('message', (message: FleetMessage) => {
    status = message.status
  })
  return {
    get status() {
      return status
    },
    stop() {
      child.kill(isStopping ? 'SIGKILL' : 'SIGTERM')
      isStopping = true
    },
    ended: endOf(child, () => ({ status, isStopping })),
  }
}

function endOf(
  child: ChildProcess,
  now: () => { status: FleetStatus | undefined; isStopping: boolean },
): Promise<FleetEnd> {
  return new Promise((resolve, reject) => {
    let confirmed: readonly ConfirmedHistory[] = []
    child.on('message', (message: FleetMessage) => {
      if (message.kind === 'closed') confirmed = message.confirmed
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      const { status, isStopping } = now()
      if (isStopping) resolve({ status, confirmed })
      else reject(new Error(`the imitated controllers ended with ${signal ?? code}; see the lines above`))
    })
  })
}
