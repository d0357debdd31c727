import { deflated, type PackedFile, stored, writeArchive } from './package-archive.ts'

const FILES_OF_A_REQUEST = 5
const LEAST_BYTES = 2_000
const MORE_BYTES = 4_000

/** Writes a package of small files, all different, because a file that the service already has is not written again. */
export function writeFilesPackage(path: string, files: number): void {
  const tickets = Array.from({ length: Math.ceil(files / FILES_OF_A_REQUEST) }, (_, index) => ({
    externalId: `SRC-${index}`,
    title: `Request ${index}`,
    state: 'open',
    attachments: Array.from(
      { length: Math.min(FILES_OF_A_REQUEST, files - index * FILES_OF_A_REQUEST) },
      (_, place) => ({ path: attachmentPath(index * FILES_OF_A_REQUEST + place) }),
    ),
  }))
  writeArchive(path, entriesOf(Buffer.from(JSON.stringify({ version: '1.0', tickets })), files))
}

function* entriesOf(manifest: Buffer, files: number): Generator<readonly [string, PackedFile]> {
  yield ['manifest.json', deflated(manifest)]
  for (let index = 0; index < files; index += 1) {
    const content = contentOf(index)
    // Photos are stored, as archivers do; two thirds of the files are text.
    yield [attachmentPath(index), index % 3 === 2 ? stored(content) : deflated(content)]
  }
}

const attachmentPath = (index: number) => `attachments/${Math.floor(index / 1000)}/file-${index}.bin`

function contentOf(index: number): Buffer {
  const line = `${index} ${Math.imul(index + 1, 0x9e3779b1) >>> 0} the radiator in the corner has been cold since Monday\n`
  const size = LEAST_BYTES + ((Math.imul(index, 2_654_435) >>> 0) % MORE_BYTES)
  return Buffer.alloc(size, line)
}
