import { type AdminClient, createAdminClient } from '@plantroom/client/admin'
import { createPartnerClient, type PartnerClient } from '@plantroom/client/partner'
import { required } from '../command.ts'
import { type CliConfig, type Flags, readConfig } from '../config.ts'
import { trustOwnCertificate } from '../trust.ts'

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
