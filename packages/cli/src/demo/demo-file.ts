import { randomUUID } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connection, Datapoint } from '@plantroom/contract/datapoint'

/** `demo.json`: everything that people and scripts need to try a running demo. */
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
  /** Marks of what the demo itself has loaded, by technical system. Absent in older files. */
  commissioned?: Record<string, string>
  pids: Record<string, number>
}

export const demoFilePath = (folder: string) => join(folder, 'demo.json')

/** Writes the file atomically and readable by its owner only, because it contains secrets. */
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
