import { type ByteSource, bytesSource } from '../archive/byte-source.ts'
import { verifyArchive } from '../archive/verify.ts'
import { readEntries } from '../content/read-entries.ts'

/** Returns the files of an archive by path, as our reader delivers them. Throws `PackageRefused`. */
export async function readArchive(archive: Uint8Array | ByteSource): Promise<ReadonlyMap<string, Buffer>> {
  const source = archive instanceof Uint8Array ? bytesSource(archive) : archive
  const { files } = verifyArchive(source)
  const parts = new Map(files.map(({ path }) => [path, [] as Buffer[]]))
  await readEntries(source, files, ({ path }, bytes) => void parts.get(path)?.push(Buffer.from(bytes)))
  return new Map([...parts].map(([path, chunks]) => [path, Buffer.concat(chunks)]))
}
