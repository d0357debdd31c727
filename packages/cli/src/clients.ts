import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type AdminClient, createAdminClient, type ListedSite } from '@plantroom/client/admin'
import { createHistory, type History } from '@plantroom/client/history'
import { type Send, sendWithKey, sendWithToken } from '@plantroom/client/http'
import { createPackageClient, type PackageClient } from '@plantroom/client/packages'
import { createPartnerClient, type PartnerClient } from '@plantroom/client/partner'
import { COMMON_FLAGS, required, UsageError } from './command.ts'
import { type CliConfig, type Flags, readConfig } from './config.ts'
import { createDirectory, type Directory } from './directory.ts'

/** Flags of the commands about a site's packages. */
export const SITE_FLAGS = { ...COMMON_FLAGS, site: { type: 'string' } } as const

const SITE_SETTING = 'the site (--site ID or PLANTROOM_SITE)'

/** Returns the client of the operator, who has the admin token. */
export function operatorClient(flags: Flags): { admin: AdminClient; config: CliConfig } {
  const config = connect(flags)
  const adminToken = required(
    config.adminToken,
    `the admin token (PLANTROOM_ADMIN_TOKEN, or admin-token in the data folder ${config.folder})`,
  )
  return { admin: createAdminClient({ baseUrl: config.url, adminToken }), config }
}

/** Returns a partner's client for one device. */
export function partnerClient(flags: Flags): { partner: PartnerClient; config: CliConfig } {
  const config = connect(flags)
  const partner = createPartnerClient({
    baseUrl: config.url,
    apiKey: required(config.apiKey, 'the API key (PLANTROOM_API_KEY)'),
    orgId: organizationOf(config),
    deviceId: deviceOf(config),
  })
  return { partner, config }
}

/** Returns a client for reports and measurements. Uses the admin token if there is one, otherwise the API key. */
export function historyClient(flags: Flags): {
  history: History
  directory: Directory
  orgId: string
  config: CliConfig
} {
  const config = connect(flags)
  const orgId = organizationOf(config)
  const connections = config.demo?.orgId === orgId ? (config.demo.connections ?? []) : []
  const { url: baseUrl, adminToken } = config
  const admin = adminToken ? createAdminClient({ baseUrl, adminToken }) : undefined
  const directory = createDirectory({ admin, orgId, connections })
  if (admin) return { history: admin, directory, orgId, config }
  const apiKey = required(config.apiKey, 'the admin token (PLANTROOM_ADMIN_TOKEN) or an API key (PLANTROOM_API_KEY)')
  return { history: createHistory(sendWithKey(baseUrl, apiKey)), directory, orgId, config }
}

/** Returns a client for the packages of one site. Uses the API key if there is one, otherwise the admin token. */
export async function packageClient(flags: Flags & { site?: string | undefined }): Promise<PackageClient> {
  const config = connect(flags)
  const send = senderOf(config)
  const orgId = organizationOf(config)
  const propertyId = flags.site || config.siteId || (await findSite(config, orgId))
  return createPackageClient(send, { orgId, propertyId })
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
export function onlySiteWithRequests(
  sites: readonly Pick<ListedSite, 'id' | 'name' | 'maintenanceRequests'>[],
): string {
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
  return onlySiteWithRequests(adminToken ? await createAdminClient({ baseUrl: url, adminToken }).sites(orgId) : [])
}
