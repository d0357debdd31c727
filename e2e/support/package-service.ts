import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Client, createClient } from '@plantroom/client/client'
import { sendWithKey, sendWithToken } from '@plantroom/client/http'
import type { Job } from '@plantroom/contract/jobs'
import type { Permission } from '@plantroom/contract/permissions'
import { copyDatabase } from './database-template.ts'
import type { Settings } from './environment.ts'
import { eventually } from './eventually.ts'
import { ownFolder } from './folder.ts'
import { type Part, startPart } from './part.ts'
import { programOf } from './programs.ts'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the answers have many shapes, and the tests check them.
  body: any
}

/** The package calls of the contract for one site over plain HTTP, and a client for everything else. */
export interface PackageSite {
  readonly siteId: string
  readonly client: Client
  /** The parameters in the path of the site's operations. */
  readonly ids: { orgId: string; propertyId: string }
  call(method: string, path: string, body?: object, headers?: Settings): Promise<Answer>
  uploadUrl(filename: string): Promise<Answer>
  /** Calls 1 and 2 of the contract. */
  upload(file: string): Promise<void>
  /** Starts a job and waits for its end. */
  run(path: '/import/preview' | '/import' | '/export', filename?: string): Promise<Job>
  /** Repeats call 4 until the job is resolved. */
  resolved(jobId: string): Promise<Job>
}

/** A cloud and a worker in separate processes, with the embedded database and broker. */
export interface PackageService extends AsyncDisposable {
  readonly folder: string
  readonly cloud: Part<{ baseUrl: string; port: number; mqttUrl: string; adminToken: string }>
  readonly worker: Part<object>
  readonly admin: Client
  readonly orgId: string
  readonly apiKey: string
  /** Starts another worker. */
  addWorker(): Promise<AsyncDisposable>
  /** Adds a site with Maintenance Requests turned on. */
  addSite(name: string): Promise<PackageSite>
  /** Environment for CLI commands with the key and this site. */
  shellFor(siteId: string): Settings
  /** Returns the site as seen with another key. */
  siteFor(siteId: string, apiKey: string): PackageSite
  newKey(permissions: readonly Permission[], siteIds?: readonly string[] | null): Promise<string>
}

/** Every attempt of a job may lose its worker, which takes a while to be noticed. */
const JOB_PATIENCE_MS = 300_000

const WORKER = programOf('cloud', 'worker')

export async function startPackageService(settings: Settings = {}): Promise<PackageService> {
  const cleanup = new AsyncDisposableStack()
  try {
    return await build(settings, cleanup)
  } catch (error) {
    await cleanup.disposeAsync()
    throw error
  }
}

async function build(settings: Settings, cleanup: AsyncDisposableStack): Promise<PackageService> {
  const folder = cleanup.use(ownFolder()).path
  await copyDatabase(settings.PLANTROOM_DATA ?? folder)
  const cloud = await startPart<{ baseUrl: string; port: number; mqttUrl: string; adminToken: string }>(
    'cloud',
    (before) => ({
      PLANTROOM_DATA: folder,
      PLANTROOM_PORT: String(before?.port ?? 0),
      PLANTROOM_MQTT_PORT: '0',
      ...settings,
    }),
  )
  cleanup.defer(async () => void (await cloud.stop()))
  const { baseUrl, adminToken } = cloud.ready
  const startWorker = () =>
    startPart<object>(
      'cloud',
      () => ({ PLANTROOM_DATA: folder, PLANTROOM_PUBLIC_URL: baseUrl, PLANTROOM_RETRY_DELAY_S: '1', ...settings }),
      WORKER,
    )
  const worker = await startWorker()
  cleanup.defer(async () => void (await worker.stop()))

  const admin = createClient(sendWithToken(baseUrl, adminToken))
  const orgId = (await admin.addOrganization({ body: { name: 'Test organization' } })).id
  const newKey = async (permissions: readonly Permission[], siteIds: readonly string[] | null = null) =>
    (await admin.createKey({ orgId, body: { name: 'Key', permissions, siteIds } })).apiKey
  const apiKey = await newKey(['ticket:read_write'])
  const siteFor = (siteId: string, key: string) => packageSite({ baseUrl, orgId, siteId, apiKey: key })
  return {
    folder,
    cloud,
    worker,
    admin,
    orgId,
    apiKey,
    async addWorker() {
      const added = await startWorker()
      return { [Symbol.asyncDispose]: async () => void (await added.stop()) }
    },
    newKey,
    siteFor,
    shellFor: (siteId) => ({
      // An empty folder, so that a demo in the checkout has no influence.
      PLANTROOM_DATA: join(folder, 'none'),
      PLANTROOM_URL: baseUrl,
      PLANTROOM_API_KEY: apiKey,
      PLANTROOM_ORG: orgId,
      PLANTROOM_SITE: siteId,
    }),
    async addSite(name) {
      const { id } = await admin.addSite({ orgId, body: { name, maintenanceRequests: true } })
      return siteFor(id, apiKey)
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

/** Returns the package calls of a site. */
export function packageSite(options: { baseUrl: string; orgId: string; siteId: string; apiKey: string }): PackageSite {
  const { baseUrl, orgId, siteId, apiKey } = options
  const base = `${baseUrl}/api/orgs/${orgId}/properties/${siteId}/ticket-packages`

  async function call(method: string, path: string, body?: object, headers: Settings = { 'x-api-key': apiKey }) {
    const response = await fetch(base + path, {
      method,
      headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, body: isJson ? JSON.parse(text) : text }
  }

  const uploadUrl = (filename: string) => call('GET', `/import/upload-url?filename=${encodeURIComponent(filename)}`)

  const resolved = (jobId: string) =>
    eventually(async () => {
      const { status, body } = await call('GET', `/jobs/${jobId}`)
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
      if (!body.resolved) throw new Error(`not resolved: ${JSON.stringify(body)}`)
      return body as Job
    }, JOB_PATIENCE_MS)

  return {
    siteId,
    client: createClient(sendWithKey(baseUrl, apiKey)),
    ids: { orgId, propertyId: siteId },
    call,
    uploadUrl,
    async upload(file) {
      const { body } = await uploadUrl(basename(file))
      const { status } = await fetch(body.url, { method: 'PUT', body: readFileSync(file) })
      if (status !== 200) throw new Error(`the upload failed with ${status}`)
    },
    async run(path, filename) {
      const { status, body } = await call('POST', path, filename === undefined ? undefined : { filename })
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
      return await resolved(body.jobId)
    },
    resolved,
  }
}
