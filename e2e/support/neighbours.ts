import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Client, createClient } from '@plantroom/client/client'
import { createSend } from '@plantroom/client/http'
import { type PackageService, type PackageSite, packageSite, startPackageService } from './package-service.ts'

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
  const { apiKey } = await admin.createKey({ orgId, body: { name, permissions: ['ticket:read_write'], siteIds: null } })
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

/** Signs in as a browser does, and resolves with the status. */
export async function signIn({ cloud }: PackageService, person: Tenant['person']): Promise<number> {
  const { baseUrl } = cloud.ready
  const response = await fetch(`${baseUrl}/api/session`, {
    method: 'POST',
    headers: { origin: baseUrl, 'content-type': 'application/json' },
    body: JSON.stringify(person),
  })
  await response.body?.cancel()
  return response.status
}

/** A server of a tenant that counts what arrives. One that hangs never answers. */
export interface TenantServer extends AsyncDisposable {
  readonly url: string
  readonly arrived: string[]
}

export async function startTenantServer({ hangs }: { hangs: boolean }): Promise<TenantServer> {
  const arrived: string[] = []
  const server = createServer((request, response) => {
    arrived.push(request.url ?? '')
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
