import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { PackageRefused } from './refusal.ts'
import { CASE_ARCHIVES, caseFile } from './testing/case-archives.ts'
import { readArchive } from './testing/read-archive.ts'

const FOLDER = new URL('./cases/archives/', import.meta.url)
const fileOf = (name: string) => new URL(encodeURIComponent(name), FOLDER)

// Set this to rewrite the files after changing how they are built. Files made by other programs stay as they are.
if (process.env.PLANTROOM_WRITE_CASES)
  for (const built of CASE_ARCHIVES) writeFileSync(fileOf(caseFile(built)), built.bytes)

describe('a well-known malformed archive', () => {
  test.each(readdirSync(FOLDER))('is rejected: %s', async (name) => {
    const [rule = ''] = name.split(' - ')
    const refusal = await readArchive(readFileSync(fileOf(name))).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(PackageRefused)
    expect(String(refusal)).toContain(rule)
  })

  test.each(CASE_ARCHIVES)('matches the stored file: $note', (built) => {
    expect(readFileSync(fileOf(caseFile(built))).equals(built.bytes)).toBe(true)
  })
})
