import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Client, createClient } from '@plantroom/client/client'
import { sendWithKey, sendWithToken } from '@plantroom/client/http'
import type { Job } from '@plantroom/contract/jobs'
import type { Demo } from './support/demo.ts'
import { ask } from './support/processes.ts'

const LOOK_MS = 200
const CLI = join(import.meta.dirname, '../packages/cli/src/main.ts')

/** Uploads and imports packages. Every import goes to a new site, so nothing is skipped. */
export interface ImportClient {
  newSite(): Promise<BenchSite>
  /** Seconds from the moment a worker took the job until its result was written. */
  jobSeconds(jobId: string): Promise<number>
}

export interface BenchSite {
  id: string
  /** The first two calls of the contract. Resolves with the seconds of the second. */
  upload(path: string): Promise<number>
  /** The same in parts, with the command line, to the service or to a proxy. Resolves with its seconds, the start of the program included. */
  uploadInParts(path: string, url?: string): Promise<number>
  startImport(filename: string): Promise<string>
  /** Resolves when the job has succeeded. */
  succeeded(jobId: string): Promise<Job>
}

/** `database` is the floor process, which has a connection. */
export function createImportClient(demo: Demo, database: ChildProcess): ImportClient {
  const { baseUrl, orgId } = demo
  const admin = createClient(sendWithToken(baseUrl, demo.adminToken))
  const client = createClient(sendWithKey(baseUrl, demo.apiKey))
  let sites = 0
  return {
    async newSite() {
      sites += 1
      const { id } = await admin.addSite({ orgId, body: { name: `Bench ${sites}`, maintenanceRequests: true } })
      return benchSite(demo, client, { orgId, propertyId: id })
    },
    jobSeconds: async (job) => (await ask<{ seconds: number }>(database, { job })).seconds,
  }
}

function benchSite(demo: Demo, client: Client, site: { orgId: string; propertyId: string }): BenchSite {
  return {
    id: site.propertyId,
    async upload(path) {
      const { url } = await client.getUploadUrl({ ...site, query: { filename: basename(path) } })
      // Use a separate process: this one would take more of the two cores than the service does.
      return await run('curl', ['-sSf', '-o', '/dev/null', '-T', path, url])
    },
    uploadInParts: (path, url = demo.baseUrl) =>
      run(process.execPath, [CLI, 'package', 'upload', path], {
        PLANTROOM_URL: url,
        PLANTROOM_API_KEY: demo.apiKey,
        PLANTROOM_ORG: site.orgId,
        PLANTROOM_SITE: site.propertyId,
      }),
    startImport: async (filename) => (await client.startImport({ ...site, body: { filename } })).jobId,
    async succeeded(jobId) {
      for (;;) {
        const job = await client.getJob({ ...site, jobId })
        if (job.resolved && job.status !== 'SUCCESS') throw new Error(`a job failed: ${JSON.stringify(job.output)}`)
        if (job.resolved) return job
        await setTimeout(LOOK_MS)
      }
    },
  }
}

/** Runs a program while this process continues. Resolves with its seconds. */
export async function run(program: string, args: readonly string[], settings = {}): Promise<number> {
  const from = performance.now()
  const env = { ...process.env, ...settings }
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`)
  return (performance.now() - from) / 1000
}

/** Describes the range of a floor's rounds, which shows other load on the machine. */
export function rangeOf(floors: readonly number[]): string {
  return `floor ${Math.min(...floors).toFixed(1)} to ${Math.max(...floors).toFixed(1)} s`
}
