import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type ImportClient, rangeOf, run } from './import-client.ts'
import { writeFilesPackage } from './import-packages.ts'
import { against, type Measurement } from './support/measurement.ts'
import { startProgram } from './support/processes.ts'

const FILES = 49_999
const ROUNDS = 3
const EXTRACT = join(import.meta.dirname, 'import-extract-program.ts')

/** Measures small attachments, against an archiver that neither hashes, nor flushes, nor writes a row. */
export async function measureFiles(client: ImportClient, folder: string): Promise<Measurement[]> {
  const path = join(folder, 'files.fpl')
  const unzipped = join(folder, 'unzipped')
  const extracted = join(folder, 'extracted')
  writeFilesPackage(path, FILES)
  const seconds: Record<'unzip' | 'flushed' | 'extract' | 'job', number[]> = {
    unzip: [],
    flushed: [],
    extract: [],
    job: [],
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    await run('sync', ['-f', folder])
    const took = await run('unzip', ['-q', path, '-d', unzipped])
    seconds.unzip.push(took)
    seconds.flushed.push(took + (await run('sync', ['-f', folder])))
    rmSync(unzipped, { recursive: true })

    await run('sync', ['-f', folder])
    const { ready } = await startProgram<{ seconds: number }>(EXTRACT, { args: [path, extracted] })
    seconds.extract.push(ready.seconds)
    rmSync(extracted, { recursive: true })

    const site = await client.newSite()
    await site.upload(path)
    await run('sync', ['-f', folder])
    const jobId = await site.startImport('files.fpl')
    await site.succeeded(jobId)
    seconds.job.push(await client.jobSeconds(jobId))
  }
  rmSync(path)

  const { unzip, flushed, extract, job } = seconds
  const note = `median of ${ROUNDS}; ${rangeOf(unzip)}; hashed and flushed`
  return [
    against('49,999 files stored vs unzip -q', extract, 's', unzip, `${note}, the floor is neither; target: 0.9`),
    against('49,999 files stored vs both', extract, 's', flushed, `${note}; floor: unzip -q and sync -f`),
    against('49,999 files, whole job vs unzip', job, 's', unzip, `${note}; with the check before it and 60,000 rows`),
  ]
}
