import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PackageRefused } from './refusal.ts'
import { CASE_ARCHIVES, caseFile } from './testing/case-archives.ts'
import { readArchive } from './testing/read-archive.ts'

const FOLDER = new URL('./cases/archives/', import.meta.url)
const fileOf = (name: string) => new URL(encodeURIComponent(name), FOLDER)

// Set to write the files anew after a change of what is built. Those that other programs made stay as they are.
if (process.env.PLANTROOM_WRITE_CASES)
  for (const built of CASE_ARCHIVES) writeFileSync(fileOf(caseFile(built)), built.bytes)

describe('an archive of some fame', () => {
  test.each(readdirSync(FOLDER))('is refused: %s', async (name) => {
    const [rule = ''] = name.split(' - ')
    const refusal = await readArchive(readFileSync(fileOf(name))).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(PackageRefused)
    expect(String(refusal)).toContain(rule)
  })

  test.each(CASE_ARCHIVES)('is kept as it is built: $note', (built) => {
    expect(readFileSync(fileOf(caseFile(built))).equals(built.bytes)).toBe(true)
  })
})
