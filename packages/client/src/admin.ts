import type { ApiKey, Device, Site, SiteChanges } from '@plantroom/contract/api'
import type { CommissioningFile, CommissioningResult } from '@plantroom/contract/commissioning'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { createHistory } from './history.ts'
import { type Send, sendWithToken } from './http.ts'

export type {
  ApiKey as ListedKey,
  Device as ListedDevice,
  Site as ListedSite,
  SiteChanges,
} from '@plantroom/contract/api'

export interface Named {
  id: string
  name: string
}

export interface NewDevice extends Named {
  siteId: string
  secret: string
}

export interface NewKey extends Named {
  permissions: string[]
  siteIds: string[] | null
  apiKey: string
}

/** The operator's side: organizations, sites, devices, keys and what is commissioned. */
export type AdminClient = Administration

export function createAdminClient(options: { baseUrl: string; adminToken: string }): AdminClient {
  return createAdministration(sendWithToken(options.baseUrl, options.adminToken))
}

export type Administration = ReturnType<typeof createAdministration>

/** The same for whoever `send` speaks for: a person who is signed in may do what is theirs of it. */
export function createAdministration(send: Send) {
  const org = (orgId: string) => `/api/orgs/${encodeURIComponent(orgId)}`
  const device = (orgId: string, deviceId: string) => `${org(orgId)}/devices/${encodeURIComponent(deviceId)}`

  return {
    ...createHistory(send),

    organizations: async () => (await send<{ organizations: Named[] }>('GET', '/api/orgs')).organizations,
    addOrganization: (name: string) => send<Named>('POST', '/api/orgs', { name }),

    sites: async (orgId: string) => (await send<{ sites: Site[] }>('GET', `${org(orgId)}/sites`)).sites,
    addSite: (orgId: string, site: SiteChanges & { name: string }) => send<Site>('POST', `${org(orgId)}/sites`, site),
    /** The `note` says what is left to do, where something is. */
    updateSite: (orgId: string, siteId: string, changes: SiteChanges) =>
      send<Site & { note?: string }>('PATCH', `${org(orgId)}/sites/${encodeURIComponent(siteId)}`, changes),

    devices: async (orgId: string) => (await send<{ devices: Device[] }>('GET', `${org(orgId)}/devices`)).devices,
    addDevice: (orgId: string, siteId: string, name: string) =>
      send<NewDevice>('POST', `${org(orgId)}/devices`, { name, siteId }),
    renewCredential: (orgId: string, deviceId: string) =>
      send<{ id: string; secret: string }>('POST', `${device(orgId, deviceId)}/credential`),
    removeDevice: (orgId: string, deviceId: string) => send<void>('DELETE', device(orgId, deviceId)),

    keys: async (orgId: string) => (await send<{ keys: ApiKey[] }>('GET', `${org(orgId)}/api-keys`)).keys,
    createKey: (
      orgId: string,
      key: { name: string; permissions: readonly string[]; siteIds: readonly string[] | null },
    ) => send<NewKey>('POST', `${org(orgId)}/api-keys`, key),
    revokeKey: (orgId: string, keyId: string) =>
      send<void>('DELETE', `${org(orgId)}/api-keys/${encodeURIComponent(keyId)}`),

    addUser: (orgId: string, email: string, password: string) =>
      send<{ id: string; email: string }>('POST', `${org(orgId)}/users`, { email, password }),

    commission: (orgId: string, deviceId: string, file: CommissioningFile) =>
      send<CommissioningResult>('PUT', `${device(orgId, deviceId)}/commissioning`, file),
    /** Without the settings of connections for all but administrators: they hold credentials. */
    technicalSystems: async (orgId: string, deviceId: string) =>
      (await send<{ technicalSystems: TechnicalSystem[] }>('GET', `${device(orgId, deviceId)}/technical-systems`))
        .technicalSystems,
    /** The file that, loaded again, changes nothing. */
    commissioningFile: (orgId: string, deviceId: string, systemId: string) =>
      send<CommissioningFile>(
        'GET',
        `${device(orgId, deviceId)}/technical-systems/${encodeURIComponent(systemId)}/file`,
      ),
  }
}
