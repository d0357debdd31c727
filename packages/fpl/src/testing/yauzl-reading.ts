import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** Returns the files of an archive by path, as yauzl reads them. Decodes names as UTF-8 with or without the flag. */
export async function readWithYauzl(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await fromBufferPromise(archive, { decodeStrings: false })
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileNameRaw.toString('utf8')
    if (!path.endsWith('/')) files.set(path, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return files
}
