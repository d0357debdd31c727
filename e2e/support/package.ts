import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { buildZip } from '@plantroom/fpl/testing/zip-builder'
import { type PackageContent, writePackage } from '@plantroom/fpl/write-package'

export const ticket = (externalId: string, fields: object = {}) => ({
  externalId,
  title: 'Tap leaks',
  state: 'open',
  ...fields,
})

/** Writes a package of these requests and returns its path. */
export async function packageIn(
  folder: string,
  name: string,
  tickets: PackageContent['tickets'],
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const path = join(folder, name)
  const attachments = Object.entries(files).map(([file, text]) => ({ path: file, content: [Buffer.from(text)] }))
  await writePackage(path, { tickets, attachments })
  return path
}

const ZEROS = 100_000_000

/** Writes a valid package of a few megabytes with `files` files of 100 MB of zeros, which takes seconds to check. */
export function packageOfZeros(folder: string, files: number): string {
  const zeros = Buffer.alloc(ZEROS)
  const rawData = deflateRawSync(zeros)
  const sizes = { crc32: crc32(zeros), compressedSize: rawData.length, size: ZEROS }
  const names = Array.from({ length: files }, (_, index) => `attachments/${index}.bin`)
  const tickets = [ticket('A-1', { attachments: names.map((path) => ({ path })) })]
  const path = join(folder, 'zeros.fpl')
  writeFileSync(
    path,
    buildZip([
      { name: 'manifest.json', data: JSON.stringify({ version: '1.0', tickets }) },
      ...names.map((name) => ({
        name,
        rawData,
        local: { method: 8, ...sizes },
        central: { method: 8, ...sizes },
      })),
    ]),
  )
  return path
}
