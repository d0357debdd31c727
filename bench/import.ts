import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createImportClient } from './import-client.ts'
import { measureCuts } from './import-cuts.ts'
import { measureFiles } from './import-files.ts'
import { watchMemory } from './import-memory.ts'
import { measurePolls } from './import-poll.ts'
import { measureRows, ROWS } from './import-rows.ts'
import { measureUpload } from './import-upload.ts'
import { writeSite } from './package-sites.ts'
import { startDemo } from './support/demo.ts'
import type { Measurement } from './support/measurement.ts'
import { startProgram, stopProgram } from './support/processes.ts'

/**
 * Measures packages through the whole service: rows, attachments and uploads against their floors, memory use, and the
 * effect on other requests. Needs about 15 GB of disk space.
 */
export async function benchImport(): Promise<Measurement[]> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const { demo, child } = await startDemo(folder)
  parts.defer(() => stopProgram(child))
  const memory = watchMemory(demo)
  parts.defer(() => memory.stop())
  const inserts = await startProgram(join(import.meta.dirname, 'floors/unnest-inserts.ts'), { args: [folder] })
  parts.defer(() => stopProgram(inserts.child))
  const client = createImportClient(demo, inserts.child)

  const rowsPackage = join(folder, 'rows.fpl')
  writeSite(rowsPackage, ROWS)
  const rows = await measureRows(client, inserts.child, rowsPackage)
  const polls = await measurePolls(demo, client, rowsPackage)
  const files = await measureFiles(client, folder)
  const upload = await measureUpload(client, folder)
  const cuts = await measureCuts(client, demo.baseUrl, folder)
  return [...rows, ...files, ...upload, ...cuts, ...polls, ...memory.measurements()]
}
