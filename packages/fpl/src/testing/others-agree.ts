import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { PythonZipfile } from './python-zipfile.ts'
import { readWithYauzl } from './yauzl-reading.ts'

type Files = ReadonlyMap<string, Buffer>

/** Checks that yauzl and Python's zipfile read the same paths and bytes as we do. */
export async function expectOthersToAgree(archive: Buffer, files: Files, python?: PythonZipfile): Promise<void> {
  const digests = digestsOf(files)
  expect(digestsOf(await readWithYauzl(archive))).toEqual(digests)
  const pythons = await python?.read(archive)
  if (pythons) expect('files' in pythons ? Object.fromEntries([...pythons.files].sort()) : pythons).toEqual(digests)
}

function digestsOf(files: Files): Record<string, string> {
  const digests = [...files].map(
    ([path, content]) => [path, createHash('sha256').update(content).digest('hex')] as const,
  )
  return Object.fromEntries(digests.sort())
}
