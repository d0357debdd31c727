import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '@plantroom/contract/datapoint'
import { environment, PLANTROOM, ROOT, type Settings } from './environment.ts'
import { eventually } from './eventually.ts'
import type { End } from './part.ts'

/** The documented form of `demo.json`, written independently of the program that creates it. */
export interface DemoJson {
  baseUrl: string
  ticketApiBase: string
  schemaUrl: string
  orgId: string
  propertyId: string
  deviceId: string
  apiKey: string
  adminToken: string
  user: { email: string; password: string }
  mqttUrl: string
  connections: (Connection & { endpoint: string })[]
  pids: { cloud: number; worker: number; edge: number; simulator: number }
}

/** `./plantroom demo`, started as in a terminal. */
export interface Demo {
  readonly pid: number
  stdout(): string
  stderr(): string
  readonly ended: Promise<End>
  /** Sends Ctrl-C to the whole foreground process group. */
  interrupt(): void
  kill(): void
}

/** Picks free ports unless a port is set. */
export function launchDemo(folder: string, settings: Settings = {}): Demo {
  const child = spawn(PLANTROOM, ['demo'], {
    cwd: ROOT,
    env: environment({
      PLANTROOM_DATA: folder,
      PLANTROOM_PORT: '0',
      PLANTROOM_MQTT_PORT: '0',
      PLANTROOM_SIMULATOR_MODBUS_PORT: '0',
      PLANTROOM_SIMULATOR_MQTT_PORT: '0',
      PLANTROOM_SIMULATOR_OBIX_PORT: '0',
      ...settings,
    }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const pid = child.pid ?? 0
  return {
    pid,
    stdout: () => stdout,
    stderr: () => stderr,
    ended: new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ code, signal }))
    }),
    interrupt: () => void process.kill(-pid, 'SIGINT'),
    kill: () => void child.kill('SIGKILL'),
  }
}

/** Resolves when the demo has printed everything. */
export async function startDemo(folder: string, settings: Settings = {}): Promise<Demo> {
  const demo = launchDemo(folder, settings)
  await eventually(() => {
    if (!demo.stdout().includes('dr watch')) throw new Error(`the demo is not up: ${demo.stdout()}${demo.stderr()}`)
  })
  return demo
}

export const demoJsonPath = (folder: string) => join(folder, 'demo.json')

export function readDemoJson(folder: string): DemoJson {
  return JSON.parse(readFileSync(demoJsonPath(folder), 'utf8')) as DemoJson
}

/** Waits until a file exists in the data folder, as a sign of progress during a start. */
export function fileAppears(folder: string, name: string): Promise<void> {
  return eventually(() => {
    if (!existsSync(join(folder, name))) throw new Error(`there is no ${name} in ${folder}`)
  })
}
