import { createAdminClient, type ListedSite } from '@plantroom/client/admin'
import { type Send, sendWithKey, sendWithToken } from '@plantroom/client/http'
import { createPackageClient, type PackageClient } from '@plantroom/client/packages'
import { COMMON_FLAGS, required, UsageError } from '../command.ts'
import { type CliConfig, type Flags, readConfig } from '../config.ts'
import { trustOwnCertificate } from '../trust.ts'
import { organizationOf } from './context.ts'

/** Flags of every command that is about the packages of a site. */
export const SITE_FLAGS = { ...COMMON_FLAGS, site: { type: 'string' } } as const

/** The packages of the site that the command is pointed at: with the key, else with the admin token. */
export async function asManager(flags: Flags & { site?: string | undefined }): Promise<PackageClient> {
  const config = readConfig(flags)
  trustOwnCertificate(config)
  const send = senderOf(config)
  const orgId = organizationOf(config)
  const propertyId = flags.site || config.siteId || (await onlySite(config, orgId))
  return createPackageClient(send, { orgId, propertyId })
}

function senderOf({ url, apiKey, adminToken }: CliConfig): Send {
  if (apiKey) return sendWithKey(url, apiKey)
  return sendWithToken(url, required(adminToken, 'the API key (PLANTROOM_API_KEY)'))
}

const HOW = 'the site (--site ID or PLANTROOM_SITE)'

/** A key does not say which sites there are; the admin token does. */
async function onlySite({ url, adminToken }: CliConfig, orgId: string): Promise<string> {
  return chosenSite(adminToken ? await createAdminClient({ baseUrl: url, adminToken }).sites(orgId) : [])
}

/** The only one that has Maintenance Requests. */
export function chosenSite(sites: readonly Pick<ListedSite, 'id' | 'name' | 'maintenanceRequests'>[]): string {
  const open = sites.filter(({ maintenanceRequests }) => maintenanceRequests)
  const [site, ...others] = open
  if (site && others.length === 0) return site.id
  if (!site) return required(undefined, HOW)
  throw new UsageError(`${HOW} is missing: one of ${open.map(({ id, name }) => `${id} (${name})`).join(', ')}`)
}
