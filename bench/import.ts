import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDesk } from './import-desk.ts'
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
 * Packages through the whole service: rows, attachments and uploads against what they cannot do without, what it takes
 * in memory, and what others notice of it. Takes about 10 GB of disk.
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
  const desk = openDesk(demo, inserts.child)

  const rowsPackage = join(folder, 'rows.fpl')
  writeSite(rowsPackage, ROWS)
  const rows = await measureRows(desk, inserts.child, rowsPackage)
  const polls = await measurePolls(demo, desk, rowsPackage)
  const files = await measureFiles(desk, folder)
  const upload = await measureUpload(desk, folder)
  return [...rows, ...files, ...upload, ...polls, ...memory.measurements()]
}
