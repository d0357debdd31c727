import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measurePackage, measureSize } from './package-rounds.ts'
import { type Site, writeSite } from './package-sites.ts'
import type { Measurement } from './support/measurement.ts'

interface Case {
  name: string
  site: Site
  rounds: number
}

const REQUESTS = { requests: 50_000, comments: 2 }

const CASES: readonly Case[] = [
  { name: '50,000 requests', site: REQUESTS, rounds: 5 },
  {
    name: '49,999 small files',
    site: { requests: 10_000, files: 49_999, fileBytes: 4_000, packing: ['deflated', 'deflated', 'stored'] },
    rounds: 5,
  },
  { name: 'manifest near 100 MB', site: { requests: 50_000, description: 1_300 }, rounds: 3 },
  { name: '2 GB stored', site: { requests: 1_000, files: 1_000, fileBytes: 2e6, packing: ['stored'] }, rounds: 3 },
  { name: '2 GB deflated', site: { requests: 1_000, files: 1_000, fileBytes: 2e6, packing: ['deflated'] }, rounds: 3 },
]

const AT_THE_LIMITS: Case = {
  name: '49,999 files, 9 GB',
  site: { requests: 10_000, files: 49_999, fileBytes: 180_000, packing: ['deflated'] },
  rounds: 2,
}

/**
 * Measures whole checks against programs that only test an archive, without rules or a manifest. The package at the
 * limits needs 3 GB of disk space and minutes, so it runs only with PLANTROOM_BENCH_LIMITS=1.
 */
export async function benchPackage(): Promise<Measurement[]> {
  const cases = process.env.PLANTROOM_BENCH_LIMITS === '1' ? [...CASES, AT_THE_LIMITS] : CASES
  const measurements: Measurement[] = []
  for (const requests of [12_500, 25_000]) {
    const site = { ...REQUESTS, requests }
    const name = `${requests.toLocaleString('en')} requests, 1, started`
    measurements.push(await withPackage(site, async (path) => measureSize(name, path, 5)))
  }
  for (const { name, site, rounds } of cases) {
    measurements.push(...(await withPackage(site, async (path) => measurePackage(name, path, rounds))))
  }
  return measurements
}

/** Keeps one package at a time on disk. */
async function withPackage<Result>(site: Site, measure: (path: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
  try {
    const path = join(folder, 'site.fpl')
    writeSite(path, site)
    return await measure(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
