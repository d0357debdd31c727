import { readDocument } from '@plantroom/base/document'
import type { CommissioningFile } from '@plantroom/contract/commissioning'

/** Reads a commissioning file, JSON or YAML. Checks only its syntax; the service validates the rest. */
export async function readCommissioningFile(path: string): Promise<CommissioningFile> {
  return (await readDocument(path, 'commissioning file', 'technicalSystem and connections')) as CommissioningFile
}
