import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ConfirmedHistory, FleetStatus } from '@plantroom/contract/fleet-simulation'
import { environment, ROOT, type Settings } from './environment.ts'
import { eventually } from './eventually.ts'
import type { Credential } from './mqtt-client.ts'
import { run } from './run.ts'

const CLI = join(ROOT, 'packages/cli/src/main.ts')

/** A device of the file that `plantroom simulate-fleet` writes. */
export interface FleetDevice {
  id: string
  secret: string
  system: { datapointIds: string[] }
}

/** Controllers that `plantroom simulate-fleet` imitates. */
export interface ImitatedFleet extends AsyncDisposable {
  /** What the latest line says. */
  status(): FleetStatus | undefined
  /** Lets the controllers say goodbye. Resolves with what the cloud has confirmed to each. */
  stop(): Promise<ConfirmedHistory[]>
  /** Kills them, as a power cut does. */
  kill(): Promise<void>
}

export interface FleetOptions {
  /** An operator's environment, with the organization. */
  shell: Settings
  folder: string
  count: number
  args: readonly string[]
}

const argumentsOf = ({ folder, count, args }: FleetOptions) => [
  ...['simulate-fleet', String(count), '--json', '--credentials', join(folder, 'fleet.json')],
  ...args,
]

/** Adds the devices to the cloud and returns their logins for the broker. */
export async function registerFleet(options: FleetOptions): Promise<Credential[]> {
  const registered = await run(process.execPath, [CLI, ...argumentsOf(options), '--register-only'], options.shell)
  if (registered.code !== 0) throw new Error(registered.stderr)
  return devicesOf(options).map(({ id, secret }) => ({ username: id, password: secret }))
}

export function devicesOf({ folder }: Pick<FleetOptions, 'folder'>): FleetDevice[] {
  return JSON.parse(readFileSync(join(folder, 'fleet.json'), 'utf8')).devices
}

/** Starts them and resolves when all are connected and commissioned. */
export async function startFleet(options: FleetOptions): Promise<ImitatedFleet> {
  const report = join(options.folder, 'fleet-report.jsonl')
  const child = spawn(process.execPath, [CLI, ...argumentsOf(options), '--every', '1', '--report', report], {
    cwd: ROOT,
    env: environment(options.shell),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let status: FleetStatus | undefined
  let written = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    status = JSON.parse(line)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    written += chunk.toString()
  })
  try {
    await eventually(() => {
      if (hasEnded(child)) throw new Error(`the imitated controllers ended: ${written}`)
      if (status?.connected !== options.count || status.commissioned !== options.count) {
        throw new Error(`not all are there: ${JSON.stringify(status)} ${written}`)
      }
    })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  const end = async (signal: NodeJS.Signals) => {
    if (!hasEnded(child)) child.kill(signal)
    await ended
  }
  return {
    status: () => status,
    async stop() {
      await end('SIGTERM')
      const text = existsSync(report) ? readFileSync(report, 'utf8') : ''
      const lines = text.split('\n').filter((line) => line !== '')
      return lines.map((line): ConfirmedHistory => JSON.parse(line))
    },
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null
