import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Client, createClient } from '@plantroom/client/client'
import { createSend } from '@plantroom/client/http'
import { type ImitatedFleet, startFleet } from './imitated-fleet.ts'
import { type PackageService, type PackageSite, packageSite, startPackageService } from './package-service.ts'

/** What is greedy comes from 127.0.0.1. */
export const OTHER_NETWORK = '127.0.0.2'

/** An organization with a site, a key and a person. */
export interface Tenant {
  readonly orgId: string
  readonly site: PackageSite
  readonly apiKey: string
  readonly person: { email: string; password: string }
  addSite(name: string): Promise<PackageSite>
}

/** One service with two organizations: one does its ordinary work, the other one takes what it can get. */
export interface Neighbours extends AsyncDisposable {
  readonly service: PackageService
  readonly ordinary: Tenant
  readonly greedy: Tenant
}

export async function startNeighbours(): Promise<Neighbours> {
  await using cleanup = new AsyncDisposableStack()
  const service = cleanup.use(await startPackageService({ PLANTROOM_WEBHOOK_PRIVATE: '127.0.0.1' }))
  const [ordinary, greedy] = [await addTenant(service, 'ordinary'), await addTenant(service, 'greedy')]
  const kept = cleanup.move()
  return { service, ordinary, greedy, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function addTenant({ admin, cloud }: PackageService, name: string): Promise<Tenant> {
  const { baseUrl } = cloud.ready
  const orgId = (await admin.addOrganization({ body: { name } })).id
  const { apiKey } = await admin.createKey({
    orgId,
    body: { name, permissions: ['ticket:read_write', 'edge-device:read_write'], siteIds: null },
  })
  const addSite = async (siteName: string) => {
    const { id: siteId } = await admin.addSite({ orgId, body: { name: siteName, maintenanceRequests: true } })
    return packageSite({ baseUrl, orgId, siteId, apiKey })
  }
  const person = { email: `${name}@example.com`, password: `${name} and correct horse` }
  const { link } = await admin.addMember({ orgId, body: { email: person.email, role: 'admin' } })
  const invited = createClient(createSend(baseUrl, { origin: baseUrl }))
  await invited.acceptInvitation({ body: { token: new URL(link ?? '').hash.slice(1), password: person.password } })
  return { orgId, apiKey, person, addSite, site: await addSite(name) }
}

/** Imitated controllers of a tenant, each with one datapoint. */
export function startTenantFleet(
  { cloud, folder }: PackageService,
  { orgId, site }: Tenant,
  { count, silent }: { count: number; silent: number },
): Promise<ImitatedFleet> {
  const { baseUrl, mqttUrl, adminToken } = cloud.ready
  return startFleet({
    shell: {
      PLANTROOM_DATA: join(folder, 'none'),
      PLANTROOM_URL: baseUrl,
      PLANTROOM_ADMIN_TOKEN: adminToken,
      PLANTROOM_ORG: orgId,
    },
    folder: mkdtempSync(join(folder, 'fleet-')),
    count,
    args: ['--url', mqttUrl, '--site', site.siteId, '--values', '1', '--silent', String(silent)],
  })
}

/** Signs in as a browser does, from this address of the machine, and resolves with the status. */
export async function signIn(
  { cloud }: PackageService,
  person: Tenant['person'],
  localAddress = '127.0.0.1',
): Promise<number> {
  const { baseUrl } = cloud.ready
  const headers = { origin: baseUrl, 'content-type': 'application/json' }
  const sent = request(`${baseUrl}/api/session`, { method: 'POST', headers, localAddress, agent: false })
  sent.end(JSON.stringify(person))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode ?? 0
}

/** A server of a tenant that counts what arrives. One that hangs never answers. */
export interface TenantServer extends AsyncDisposable {
  readonly url: string
  readonly arrived: string[]
}

export async function startTenantServer({ hangs }: { hangs: boolean }): Promise<TenantServer> {
  const arrived: string[] = []
  const server = createServer((received, response) => {
    arrived.push(received.url ?? '')
    if (!hangs) response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Adds a webhook of a tenant and lets the service send it a test. */
export async function askWebhook(admin: Client, { orgId }: Tenant, url: string): Promise<void> {
  const { id } = await admin.addWebhook({ orgId, body: { url, types: ['dispatch.completed'], siteIds: null } })
  await admin.testWebhook({ orgId, webhookId: id })
}
