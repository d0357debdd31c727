import type { Mapping, SourceName } from '@plantroom/contract/conversion'
import type { SourceUpload } from '@plantroom/contract/conversion-jobs'

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

/** Returns all files of a job, the attachments last. */
export const uploadsOf = ({ files, attachments }: Pick<ConversionOptions, 'files' | 'attachments'>) =>
  attachments ? [...files, attachments] : files
