import { type AdminClient, createAdminClient } from '@plantroom/client/admin'
import { createHistory, type History } from '@plantroom/client/history'
import { sendWithKey } from '@plantroom/client/http'
import { createPartnerClient, type PartnerClient } from '@plantroom/client/partner'
import { choose } from '../choose.ts'
import { required } from '../command.ts'
import { type CliConfig, type Flags, readConfig } from '../config.ts'
import type { DemoFile } from '../demo/demo-file.ts'
import { trustOwnCertificate } from '../trust.ts'
import { createDirectory, type Directory } from './directory.ts'

/** The operator's client and the organization it is pointed at. */
export function asOperator(flags: Flags): { admin: AdminClient; config: CliConfig } {
  const config = readConfig(flags)
  trustOwnCertificate(config)
  const adminToken = required(
    config.adminToken,
    `the admin token (PLANTROOM_ADMIN_TOKEN, or admin-token in the data folder ${config.folder})`,
  )
  return { admin: createAdminClient({ baseUrl: config.url, adminToken }), config }
}

export function organizationOf(config: CliConfig): string {
  return required(config.orgId, 'the organization (--org ID or PLANTROOM_ORG)')
}

/** A partner's client for the device it is pointed at. */
export function asPartner(flags: Flags): { partner: PartnerClient; config: CliConfig } {
  const config = readConfig(flags)
  trustOwnCertificate(config)
  const partner = createPartnerClient({
    baseUrl: config.url,
    apiKey: required(config.apiKey, 'the API key (PLANTROOM_API_KEY)'),
    orgId: organizationOf(config),
    deviceId: required(config.deviceId, 'the device (--device ID or PLANTROOM_DEVICE)'),
  })
  return { partner, config }
}

/** What the cloud keeps, for the operator where there is the admin token, else for the holder of the key. */
export function asReader(flags: Flags): { history: History; directory: Directory; orgId: string; config: CliConfig } {
  const config = readConfig(flags)
  trustOwnCertificate(config)
  const orgId = organizationOf(config)
  const connections = config.demo?.orgId === orgId ? (config.demo.connections ?? []) : []
  const { url: baseUrl, adminToken } = config
  const admin = adminToken ? createAdminClient({ baseUrl, adminToken }) : undefined
  const directory = createDirectory({ admin, orgId, connections })
  if (admin) return { history: admin, directory, orgId, config }
  const apiKey = required(config.apiKey, 'the admin token (PLANTROOM_ADMIN_TOKEN) or an API key (PLANTROOM_API_KEY)')
  return { history: createHistory(sendWithKey(baseUrl, apiKey)), directory, orgId, config }
}

/** The connections of the demo, if the command is about its device. */
export function knownConnections({ demo, deviceId }: CliConfig): DemoFile['connections'] {
  return demo?.deviceId === deviceId ? (demo?.connections ?? []) : []
}

/** What is meant by the id of a connection, or its name in the demo. */
export function connectionOf(config: CliConfig, given: string): { id: string; name: string } {
  return choose(knownConnections(config), given, ({ endpoint }) => endpoint) ?? { id: given, name: given }
}
