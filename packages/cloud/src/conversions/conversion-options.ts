import type { Mapping, SourceName } from '@plantroom/contract/conversion'
import type { SourceUpload } from '@plantroom/contract/conversion-jobs'
import { type PackageKey, packageKey } from '../files/index.ts'

/** An uploaded file in the version that the job was accepted for. */
export interface AcceptedUpload extends SourceUpload {
  readonly version: string
}

/** The options of the jobs that read exports. */
export interface ConversionOptions {
  readonly source: SourceName
  readonly files: readonly AcceptedUpload[]
  readonly attachments: AcceptedUpload | null
  readonly preset: string | null
  readonly mapping: Mapping | null
  readonly analysisId: string | null
  /** Whether attachments that are missing become names in the notes. */
  readonly allowMissing: boolean
  /** The number of records that the analysis counted, for the progress; 0 when it is not known. */
  readonly records: number
}

/**
 * The name under which a file of an export is uploaded and recorded, as packages are: the same quota and the same removal
 * apply. No package can have it, because it does not end in .fpl.
 */
export const sourceUploadName = (uploadId: string) => `source ${uploadId}`

export const sourceKey = (organizationId: string, siteId: string, uploadId: string): PackageKey =>
  packageKey(organizationId, siteId, sourceUploadName(uploadId))

/** Returns all files of a job, the attachments last. */
export const uploadsOf = ({ files, attachments }: Pick<ConversionOptions, 'files' | 'attachments'>) =>
  attachments ? [...files, attachments] : files
