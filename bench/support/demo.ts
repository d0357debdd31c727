import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PublicCommand } from '@plantroom/contract/commands'
import type { Datapoint } from '@plantroom/contract/datapoint'
import type { HttpRequest } from './http.ts'

/** The fields of `demo.json` that benchmarks use. */
export interface Demo {
  baseUrl: string
  orgId: string
  /** The id of the site. */
  propertyId: string
  deviceId: string
  apiKey: string
  adminToken: string
  mqttUrl: string
  connections: { id: string; datapoints: Datapoint[] }[]
  pids: { cloud: number; worker: number; edge: number }
}

/** Starts a cloud, an edge device and a simulated building, each in its own process, with their data in this folder. */
export function startDemo(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ demo: Demo; child: ChildProcess }> {
  const program = join(import.meta.dirname, '../../packages/cli/src/main.ts')
  const child = spawn(process.execPath, [...process.execArgv, program, 'demo', '--json'], {
    env: {
      ...process.env,
      ...{ PLANTROOM_DATA: folder, PLANTROOM_PORT: '0', PLANTROOM_MQTT_PORT: '0' },
      // One key fills the controller.
      PLANTROOM_MAX_OVERRIDES_PER_CALLER: '10000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve({ demo: JSON.parse(line), child }))
    child.once('exit', (code) => reject(new Error(`the demo exited with ${code}`)))
  })
}

/** Sends a partner's command to the demo's device. */
export function commandRequest(demo: Demo, command: PublicCommand, body: HttpRequest['body']): HttpRequest {
  return {
    host: '127.0.0.1',
    port: Number(new URL(demo.baseUrl).port),
    path: `/api/orgs/${demo.orgId}/edge-device-admin/${demo.deviceId}/cmd/${command}`,
    headers: { 'X-Api-Key': demo.apiKey, 'Content-Type': 'application/json' },
    body,
  }
}

/** Holds a datapoint at a value from `from` for this long. */
export interface Setpoint {
  datapointId: string
  value: number
  from: number
  lengthMs: number
}

/** Returns the body of a dispatch with a new `reqId`. */
export function dispatchBody({ datapointId, value, from, lengthMs }: Setpoint): string {
  return JSON.stringify({
    reqId: crypto.randomUUID(),
    data: { datapointId, value, from: new Date(from).toISOString(), to: new Date(from + lengthMs).toISOString() },
  })
}
