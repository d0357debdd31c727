import { type ReadDocument, readDocument, readDocumentWithLines } from '@plantroom/base/document'
import { type CommissioningFile, type FileProblem, lineOf } from '@plantroom/contract/commissioning'

const WORDS = ['commissioning file', 'technicalSystem and connections'] as const

/** Reads a commissioning file, JSON or YAML. Checks only its syntax; the service validates the rest. */
export async function readCommissioningFile(path: string): Promise<CommissioningFile> {
  return (await readDocument(path, ...WORDS)) as CommissioningFile
}

/** A commissioning file, and where its parts stand in it. */
export interface PlacedFile {
  file: CommissioningFile
  /** Writes a finding as one line: `line 8: connections[0].name: is missing`. */
  describe(finding: FileProblem): string
}

export async function readPlacedFile(path: string): Promise<PlacedFile> {
  const read = await readDocumentWithLines(path, ...WORDS)
  return { file: read.content as CommissioningFile, describe: (finding) => describeFinding(read, finding) }
}

function describeFinding({ source, lines }: ReadDocument, { path, message }: FileProblem): string {
  const line = lineOf(source, lines, path)
  return [...(line === undefined ? [] : [`line ${line}`]), ...(path === '' ? [] : [path]), message].join(': ')
}
