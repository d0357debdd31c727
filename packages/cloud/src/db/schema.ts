import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import type { ColumnType, Generated } from 'kysely'

/** The tables as Kysely sees them. The migrations are what makes them so. */
export interface Schema {
  organization: OrganizationTable
  site: SiteTable
  device: DeviceTable
  technical_system: TechnicalSystemTable
  api_key: ApiKeyTable
  api_key_site: ApiKeySiteTable
  user_account: UserAccountTable
  membership: MembershipTable
}

type CreatedAt = ColumnType<Date, never, never>

interface OrganizationTable {
  id: string
  name: string
  created_at: CreatedAt
}

interface SiteTable {
  id: string
  organization_id: string
  name: string
  created_at: CreatedAt
}

interface DeviceTable {
  id: string
  organization_id: string
  site_id: string
  name: string
  secret_hash: Buffer
  created_at: CreatedAt
}

interface TechnicalSystemTable {
  id: string
  device_id: string
  name: string
  document: ColumnType<TechnicalSystem, string, string>
  created_at: CreatedAt
}

interface ApiKeyTable {
  id: string
  organization_id: string
  name: string
  secret_hash: Buffer
  permissions: string[]
  all_sites: boolean
  created_at: CreatedAt
  last_used_at: Date | null
  revoked_at: Date | null
}

interface ApiKeySiteTable {
  api_key_id: string
  organization_id: string
  site_id: string
}

interface UserAccountTable {
  id: string
  email: string
  password_hash: string
  created_at: CreatedAt
}

interface MembershipTable {
  id: Generated<string>
  user_id: string
  organization_id: string
  site_id: string | null
  role: 'admin' | 'manager' | 'viewer'
}
