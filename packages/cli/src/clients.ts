import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type Client, createClient } from '@plantroom/client/client'
import { type Commands, createCommands } from '@plantroom/client/commands'
import { type Send, sendWithKey, sendWithToken } from '@plantroom/client/http'
import type { Site } from '@plantroom/contract/api'
import { COMMON_FLAGS, required, UsageError } from './command.ts'
import { type CliConfig, type Flags, readConfig } from './config.ts'
import { createDirectory, type Directory } from './directory.ts'

/** Flags of the commands about a site's packages. */
export const SITE_FLAGS = { ...COMMON_FLAGS, site: { type: 'string' } } as const

const SITE_SETTING = 'the site (--site ID or PLANTROOM_SITE)'

/** Returns the client of the operator, who has the admin token. */
export function operatorClient(flags: Flags): { client: Client; config: CliConfig } {
  const config = connect(flags)
  const adminToken = required(
    config.adminToken,
    `the admin token (PLANTROOM_ADMIN_TOKEN, or admin-token in the data folder ${config.folder})`,
  )
  return { client: createClient(sendWithToken(config.url, adminToken)), config }
}

/** Returns the commands of one device, for a partner with an API key. */
export function deviceCommands(flags: Flags): { commands: Commands; config: CliConfig } {
  const config = connect(flags)
  const apiKey = required(config.apiKey, 'the API key (PLANTROOM_API_KEY)')
  const device = { orgId: organizationOf(config), deviceId: deviceOf(config) }
  return { commands: createCommands(createClient(sendWithKey(config.url, apiKey)), device), config }
}

/** Returns a client for fleet dispatches. Uses the API key; where that is not needed, the admin token if there is no key. */
export function fleetClient(flags: Flags, needs?: 'key'): { client: Client; orgId: string } {
  const config = connect(flags)
  if (needs === 'key') required(config.apiKey, 'the API key (PLANTROOM_API_KEY)')
  return { client: createClient(senderOf(config)), orgId: organizationOf(config) }
}

/** Returns a client for reports and measurements. Uses the admin token if there is one, otherwise the API key. */
export function historyClient(flags: Flags): {
  client: Client
  directory: Directory
  orgId: string
  config: CliConfig
} {
  const config = connect(flags)
  const orgId = organizationOf(config)
  const connections = config.demo?.orgId === orgId ? (config.demo.connections ?? []) : []
  const { url, adminToken } = config
  const operator = adminToken ? createClient(sendWithToken(url, adminToken)) : undefined
  const directory = createDirectory({ operator, orgId, connections })
  if (operator) return { client: operator, directory, orgId, config }
  const apiKey = required(config.apiKey, 'the admin token (PLANTROOM_ADMIN_TOKEN) or an API key (PLANTROOM_API_KEY)')
  return { client: createClient(sendWithKey(url, apiKey)), directory, orgId, config }
}

/** A client, and the site whose packages a command is about. */
export interface SiteClient {
  client: Client
  site: SiteIds
}

/** The parameters in the path of a site's operations. */
export interface SiteIds {
  orgId: string
  propertyId: string
}

/** Returns a client for the packages of one site. Uses the API key if there is one, otherwise the admin token. */
export async function siteClient(flags: Flags & { site?: string | undefined }): Promise<SiteClient> {
  const config = connect(flags)
  const client = createClient(senderOf(config))
  const orgId = organizationOf(config)
  const propertyId = flags.site || config.siteId || (await findSite(config, orgId))
  return { client, site: { orgId, propertyId } }
}

export function organizationOf(config: CliConfig): string {
  return required(config.orgId, 'the organization (--org ID or PLANTROOM_ORG)')
}

export function deviceOf(config: CliConfig): string {
  return required(config.deviceId, 'the device (--device ID or PLANTROOM_DEVICE)')
}

/** Trusts the certificate that the cloud on this machine uses (`PLANTROOM_TLS_CERT`). */
export function trustOwnCertificate({ tlsCert }: Pick<CliConfig, 'tlsCert'>): void {
  if (tlsCert === undefined) return
  try {
    setDefaultCACertificates([...getCACertificates(), readFileSync(tlsCert, 'utf8')])
  } catch {
    // The cloud needs the file too, and reports that it is unreadable.
  }
}

/** Returns the only site with Maintenance Requests; without one, or with several, a `UsageError`. */
export function onlySiteWithRequests(sites: readonly Pick<Site, 'id' | 'name' | 'maintenanceRequests'>[]): string {
  const candidates = sites.filter(({ maintenanceRequests }) => maintenanceRequests)
  const [site, ...others] = candidates
  if (site && others.length === 0) return site.id
  if (!site) return required(undefined, SITE_SETTING)
  const choices = candidates.map(({ id, name }) => `${id} (${name})`).join(', ')
  throw new UsageError(`${SITE_SETTING} is missing: one of ${choices}`)
}

function connect(flags: Flags): CliConfig {
  const config = readConfig(flags)
  trustOwnCertificate(config)
  return config
}

function senderOf({ url, apiKey, adminToken }: CliConfig): Send {
  if (apiKey) return sendWithKey(url, apiKey)
  return sendWithToken(url, required(adminToken, 'the API key (PLANTROOM_API_KEY)'))
}

// Only the admin token can list sites; an API key cannot.
async function findSite({ url, adminToken }: CliConfig, orgId: string): Promise<string> {
  if (!adminToken) return onlySiteWithRequests([])
  const { sites } = await createClient(sendWithToken(url, adminToken)).listSites({ orgId })
  return onlySiteWithRequests(sites)
}
