import { trustCertificate } from '@plantroom/base/local-service'
import { type Client, createClient } from '@plantroom/client/client'
import { type Commands, createCommands } from '@plantroom/client/commands'
import { type Send, sendWithKey, sendWithToken } from '@plantroom/client/http'
import type { Site } from '@plantroom/contract/api'
import { COMMON_FLAGS, required, UsageError, valued } from './command.ts'
import { type CliConfig, type Flags, readConfig } from './config.ts'
import { createDirectory, type Directory } from './directory.ts'
import { createNames } from './names.ts'
import { note } from './output.ts'

/** Options of the commands about a site. */
export const SITE_FLAGS = {
  ...COMMON_FLAGS,
  site: valued('SITE', 'the site, by id or name (PLANTROOM_SITE)', { completes: 'site' }),
} as const
/** Options of the commands about a device. */
export const DEVICE_FLAGS = {
  ...COMMON_FLAGS,
  device: valued('DEVICE', 'the device, by id or name (PLANTROOM_DEVICE)', { completes: 'device' }),
} as const

const SITE_SETTING = 'the site (--site ID or PLANTROOM_SITE)'

/** Returns the client of the operator, who has the admin token. */
export function operatorClient(flags: Flags): { client: Client; config: CliConfig } {
  const config = connect(flags)
  required(
    config.adminToken,
    `the admin token (PLANTROOM_ADMIN_TOKEN, a profile, or admin-token in the data folder ${config.folder})`,
  )
  return { client: createClient(senderFor(config, 'token')), config }
}

/** Returns a client for what anyone may ask. */
export const anyoneClient = (flags: Flags): Client => createClient(senderFor(connect(flags), 'token'))

/** The client of the operator, and one organization. */
export interface Administration {
  client: Client
  config: CliConfig
  orgId: string
  /** Resolves names in this organization. */
  siteId(given: string): Promise<string>
  siteIds(given: readonly string[] | undefined): Promise<string[] | undefined>
  deviceId(given: string): Promise<string>
  keyId(given: string): Promise<string>
}

/** Returns the client of the operator for one organization, which may be given by name. */
export async function administration(flags: Flags): Promise<Administration> {
  const { client, config } = operatorClient(flags)
  const names = createNames(client)
  const orgId = await names.organization(organizationOf(config))
  const siteId = (given: string) => names.site(orgId, given)
  return {
    client,
    config,
    orgId,
    siteId,
    siteIds: async (given) => given && inOrder(given, siteId),
    deviceId: (given) => names.device(orgId, given),
    keyId: (given) => names.key(orgId, given),
  }
}

/** Calls one after another. */
async function inOrder(given: readonly string[], resolve: (one: string) => Promise<string>): Promise<string[]> {
  const found: string[] = []
  for (const one of given) found.push(await resolve(one))
  return found
}

/** Returns the commands of one device, for a partner with an API key, and what is commissioned on it. */
export async function deviceCommands(flags: Flags): Promise<{ commands: Commands; directory: Directory }> {
  const config = connect(flags)
  required(config.apiKey, 'the API key (PLANTROOM_API_KEY or a profile)')
  const client = createClient(senderFor(config, 'key'))
  const device = await deviceIds(config)
  const directory = createDirectory({ client, operator: undefined, orgId: device.orgId })
  return { commands: createCommands(client, device), directory: learningFirst(directory, device.deviceId) }
}

/** A device, and how to read and change what is placed on it. */
export interface DeviceClient {
  client: Client
  config: CliConfig
  /** What the client proves who it is with. */
  secret: 'key' | 'token'
  orgId: string
  deviceId: string
  directory: Directory
}

/** Returns a client for one device. Uses the API key if there is one, otherwise the admin token. */
export async function deviceClient(flags: Flags): Promise<DeviceClient> {
  const config = connect(flags)
  const client = createClient(anySender(config))
  const { orgId, deviceId } = await deviceIds(config)
  const directory = createDirectory({ client, operator: undefined, orgId })
  return { client, config, secret: config.apiKey ? 'key' : 'token', orgId, deviceId, directory }
}

/** A directory that learns about one device. */
const learningFirst = (directory: Directory, deviceId: string): Directory => ({
  ...directory,
  learn: (deviceIds) => directory.learn(deviceIds ?? [deviceId]),
})

async function deviceIds(config: CliConfig): Promise<{ orgId: string; deviceId: string }> {
  const names = createNames(operatorOf(config))
  const [organization, device] = [organizationOf(config), deviceOf(config)]
  const orgId = await names.organization(organization)
  return { orgId, deviceId: await names.device(orgId, device) }
}

/** Returns a client for fleet dispatches. Uses the API key; where that is not needed, the admin token if there is no key. */
export async function fleetClient(
  flags: Flags,
  needs?: 'key',
): Promise<{ client: Client; orgId: string; deviceIds: Resolve; siteIds: Resolve }> {
  const config = connect(flags)
  if (needs === 'key') required(config.apiKey, 'the API key (PLANTROOM_API_KEY or a profile)')
  const names = createNames(operatorOf(config))
  const orgId = await names.organization(organizationOf(config))
  return {
    client: createClient(anySender(config)),
    orgId,
    deviceIds: async (given) => given && inOrder(given, (one) => names.device(orgId, one)),
    siteIds: async (given) => given && inOrder(given, (one) => names.site(orgId, one)),
  }
}

type Resolve = (given: readonly string[] | undefined) => Promise<string[] | undefined>

/** Returns a client for reports and measurements. Uses the admin token if there is one, otherwise the API key. */
export async function historyClient(flags: Flags): Promise<{
  client: Client
  directory: Directory
  orgId: string
  /** Resolves the device of `--device` or the settings. */
  deviceId(): Promise<string>
}> {
  const config = connect(flags)
  const organization = organizationOf(config)
  const operator = operatorOf(config)
  if (!operator) {
    required(config.apiKey, 'the admin token (PLANTROOM_ADMIN_TOKEN) or an API key (PLANTROOM_API_KEY), or a profile,')
  }
  const client = operator ?? createClient(senderFor(config, 'key'))
  const names = createNames(operator)
  const orgId = await names.organization(organization)
  const directory = createDirectory({ client, operator, orgId })
  return { client, directory, orgId, deviceId: async () => names.device(orgId, deviceOf(config)) }
}

/** A client, and the site whose packages or requests a command is about. */
export interface SiteClient {
  client: Client
  site: SiteIds
}

/** The parameters in the path of a site's operations. */
export interface SiteIds {
  orgId: string
  propertyId: string
}

/** Returns a client for one site. Uses the API key if there is one, otherwise the admin token. */
export async function siteClient(flags: Flags & { site?: string | undefined }): Promise<SiteClient> {
  const config = connect(flags)
  const client = createClient(anySender(config))
  const operator = operatorOf(config)
  const names = createNames(operator)
  const orgId = await names.organization(organizationOf(config))
  const given = flags.site || config.siteId
  if (given) return { client, site: { orgId, propertyId: await names.site(orgId, given) } }
  // Only the admin token can list sites; an API key cannot.
  const sites = operator ? (await operator.listSites({ orgId })).sites : []
  return { client, site: { orgId, propertyId: onlySiteWithRequests(sites) } }
}

export function organizationOf(config: CliConfig): string {
  return required(config.orgId, 'the organization (--org ID or PLANTROOM_ORG)')
}

export function deviceOf(config: CliConfig): string {
  return required(config.deviceId, 'the device (--device ID or PLANTROOM_DEVICE)')
}

/** Accepts the certificate of a cloud on this machine at whatever address it is reached. */
export function trustOwnCertificate({ certificate }: Pick<CliConfig, 'certificate'>): void {
  if (certificate !== undefined) trustCertificate(certificate)
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

/** Reads the settings of a command that talks to the service. */
export function connect(flags: Flags): CliConfig {
  const config = readConfig(flags)
  trustOwnCertificate(config)
  if (config.hidesDemo) {
    note(flags.json, `using the profile ${config.profile} (${config.url}), not the demo in ${config.folder}`)
  }
  return config
}

/** Authenticates with the admin token if there is one. */
function operatorOf(config: CliConfig): Client | undefined {
  return config.adminToken ? createClient(senderFor(config, 'token')) : undefined
}

function anySender(config: CliConfig): Send {
  if (config.apiKey) return senderFor(config, 'key')
  required(config.adminToken, 'the API key (PLANTROOM_API_KEY or a profile)')
  return senderFor(config, 'token')
}

/** A failure says which service it comes from: with profiles, that is not obvious. */
export function senderFor(config: CliConfig, secret: 'key' | 'token'): Send {
  const { url, apiKey = '', adminToken = '', profile } = config
  const send = secret === 'key' ? sendWithKey(url, apiKey) : sendWithToken(url, adminToken)
  const service = profile === undefined ? url : `${url}, profile ${profile}`
  return (method, path, body) =>
    send<never>(method, path, body).catch((error: Error) => {
      throw Object.assign(error, { service })
    })
}
