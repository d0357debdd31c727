import { randomUUID } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connection, Datapoint } from '@plantroom/contract/datapoint'

/** `demo.json`: everything that is needed to try a running demo, for people and for scripts. */
export interface DemoFile {
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
  connections: (Omit<Connection, 'datapoints'> & { endpoint: string; datapoints: readonly Datapoint[] })[]
  pids: Record<string, number>
}

export const demoFilePath = (folder: string) => join(folder, 'demo.json')

/** Whole or not at all, and readable by its owner only: it holds secrets. */
export async function writeDemoFile(folder: string, content: DemoFile): Promise<void> {
  const path = demoFilePath(folder)
  const temporary = `${path}.${randomUUID()}`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
}
