import type { ChildProcess } from 'node:child_process'
import { type ImportClient, rangeOf } from './import-client.ts'
import type { Site } from './package-sites.ts'
import { against, alone, type Measurement } from './support/measurement.ts'
import { ask } from './support/processes.ts'
import { median } from './support/statistics.ts'

export const ROWS: Site = { requests: 50_000, comments: 2 }
const COUNTED = 150_000
const ROUNDS = 3

/**
 * Measures requests and comments per second, against the same rows in bare inserts. Uploads the package again for each
 * round.
 */
export async function measureRows(client: ImportClient, floor: ChildProcess, path: string): Promise<Measurement[]> {
  const importOnce = async () => {
    const site = await client.newSite()
    await site.upload(path)
    const from = performance.now()
    const jobId = await site.startImport('rows.fpl')
    await site.succeeded(jobId)
    const asked = (performance.now() - from) / 1000
    return { siteId: site.id, seconds: await client.jobSeconds(jobId), asked }
  }
  // An uncounted import warms up the database and writes the rows that the floor copies.
  const first = await importOnce()
  const { rows } = await ask<{ rows: number }>(floor, { read: first.siteId })

  const imports: Awaited<ReturnType<typeof importOnce>>[] = []
  const floors: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await client.newSite()
    floors.push((await ask<{ seconds: number }>(floor, { insert: id })).seconds)
    imports.push(await importOnce())
  }
  const perSecond = (seconds: readonly number[]) => seconds.map((each) => COUNTED / each)
  const note = `${rows} rows with the links to tags, median of ${ROUNDS}; from the start of its process to the end; ${rangeOf(floors)}`
  return [
    against(
      '50,000 requests vs bare unnest',
      perSecond(imports.map(({ seconds }) => seconds)),
      '1/s',
      perSecond(floors),
      `${note}; target: 0.6`,
    ),
    alone(
      'the same, asked to seen',
      median(imports.map(({ asked }) => asked)),
      's',
      'as a client sees it, including its polling',
    ),
  ]
}
