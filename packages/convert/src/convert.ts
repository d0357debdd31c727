import type { ConversionResult, Mapping, SourceAnalysis } from '@plantroom/contract/conversion'
import type { OpenOptions, SourceKind } from './source.ts'

export interface AnalyzeOptions {
  preset?: string
  signal?: AbortSignal
  open?: OpenOptions
}

export interface ConvertOptions {
  kind: SourceKind
  inputs: readonly string[]
  mapping: Mapping
  /** A folder or a ZIP file with the attachments. */
  attachments?: string
  /** The path of the package. */
  output: string
  /** The path of a CSV file with every value that has no field of its own: place,column,value,became. */
  unplacedCsv?: string
  /** Accounts for attachments that are not there instead of refusing the source. */
  allowMissing?: boolean
  open?: OpenOptions
  signal?: AbortSignal
  onProgress?(done: { records: number }): void
}

export async function analyzeSource(
  _kind: SourceKind,
  _inputs: readonly string[],
  _options: AnalyzeOptions = {},
): Promise<SourceAnalysis> {
  throw new Error('not implemented')
}

export async function convertSource(_options: ConvertOptions): Promise<ConversionResult> {
  throw new Error('not implemented')
}
