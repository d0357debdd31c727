import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { type Description, FORMAT, type Manifest, NAMES } from '../format.ts'
import { createBackupWriter } from '../writer.ts'

export const sha256 = (bytes: Uint8Array) => hash('sha256', bytes)

export const aDescription = (): Description => ({
  format: FORMAT,
  plantroom: '0.1.0',
  createdAt: '2026-11-16T21:43:57.503Z',
  postgresql: '18.4',
  migrations: ['0001-organizations'],
  tables: [],
  files: 'backup',
  settings: [],
})

/** Writes a backup with any contents and returns its path. */
export async function writeBackup(
  description: Description,
  entries: readonly { name: string; bytes: Uint8Array }[],
  counts: Partial<Pick<Manifest, 'rows' | 'files' | 'fileBytes'>> = {},
): Promise<string> {
  const chunks: Buffer[] = []
  const writer = createBackupWriter(async (bytes) => void chunks.push(Buffer.from(bytes)), 0)
  await writer.add(NAMES.description, Buffer.from(JSON.stringify(description)))
  for (const { name, bytes } of entries) await writer.add(name, bytes)
  await writer.finish({ rows: {}, files: 0, fileBytes: 0, ...counts })
  const path = join(temporaryFolder(), 'made.backup')
  writeFileSync(path, Buffer.concat(chunks))
  return path
}
