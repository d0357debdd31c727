import { readDocument } from '@plantroom/base/document'
import type { CommissioningFile } from '@plantroom/contract/commissioning'

/** Reads a commissioning file, JSON or YAML. Only its syntax is judged here; the rest is the service's. */
export async function readCommissioningFile(path: string): Promise<CommissioningFile> {
  return (await readDocument(path, 'commissioning file', 'technicalSystem and connections')) as CommissioningFile
}
