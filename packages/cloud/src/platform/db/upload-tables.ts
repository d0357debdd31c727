import type { UploadPurpose } from '@plantroom/contract/uploads'
import type { ColumnType } from 'kysely'

/** The tables of uploads. */
export interface UploadTables {
  package_removal: PackageRemovalTable
  package_upload: PackageUploadTable
  part_upload: PartUploadTable
  part_upload_sum: PartUploadSumTable
  removed_site: RemovedSiteTable
}

interface RemovedSiteTable {
  site_id: string
  organization_id: string
  removed_at: Date
}

interface PackageUploadTable {
  organization_id: string
  site_id: string
  filename: string
  offered_at: Date
}

interface PackageRemovalTable {
  job_id: string
  organization_id: string
  site_id: string
  filename: string
  version: string
}

interface PartUploadTable {
  id: string
  purpose: UploadPurpose
  organization_id: string
  site_id: string
  filename: string
  /** A `bigint`, which the driver returns as text. */
  size: ColumnType<string, number, never>
  store_id: string
  started_at: Date
  used_at: Date
  completed_at: Date | null
}

interface PartUploadSumTable {
  upload_id: string
  number: number
  sha256: Buffer
}
