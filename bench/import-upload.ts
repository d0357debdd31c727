import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ImportClient, rangeOf, run } from './import-client.ts'
import { writeBytes } from './support/files.ts'
import { against, type Measurement } from './support/measurement.ts'

const BYTES = 2e9
const ROUNDS = 3

/** Measures an upload, against a copy by the system. A finished upload survives a power cut; a copy may not. */
export async function measureUpload(client: ImportClient, folder: string): Promise<Measurement[]> {
  const path = join(folder, 'large.fpl')
  const copy = join(folder, 'copy')
  writeBytes(path, BYTES)
  const site = await client.newSite()
  const [uploads, inParts, copies, flushed]: [number[], number[], number[], number[]] = [[], [], [], []]
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      // Flush what the previous round left in the page cache.
      await run('sync', ['-f', folder])
      const copied = await run('cp', [path, copy])
      copies.push(copied)
      flushed.push(copied + (await run('sync', [copy])))
      rmSync(copy)
      await run('sync', ['-f', folder])
      uploads.push(await site.upload(path))
      await run('sync', ['-f', folder])
      inParts.push(await site.uploadInParts(path))
    }
  } finally {
    rmSync(path, { force: true })
    rmSync(copy, { force: true })
  }
  const rate = (seconds: readonly number[]) => seconds.map((each) => BYTES / 1e6 / each)
  const note = `curl -T, median of ${ROUNDS}; ${rangeOf(copies)}; ours is flushed`
  return [
    against('2 GB upload vs cp', rate(uploads), 'MB/s', rate(copies), `${note}, the floor is not; target: 0.33`),
    against('2 GB upload vs cp, flushed', rate(uploads), 'MB/s', rate(flushed), `${note}, as is the floor`),
    against('2 GB upload in parts vs cp, flushed', rate(inParts), 'MB/s', rate(flushed), 'plantroom package upload'),
    against('2 GB upload in parts vs one PUT', rate(inParts), 'MB/s', rate(uploads), 'the floor is curl -T'),
  ]
}
