import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { textOfFile } from '@plantroom/contract/text-of-file'
import { parseDocument } from '../../parts/parse-document.ts'
import { systems } from '../../texts/systems.ts'

const texts = systems.load
/** The limit of the service. */
const MAX_BYTES = 3 * 1024 * 1024

/** Why a file cannot be read; the message is for its author. */
export class CommissioningFileError extends Error {
  /** All of them, with their lines. */
  readonly reasons: readonly string[]

  constructor(message: string, reasons: readonly string[] = []) {
    super(message)
    this.reasons = reasons
  }
}

export interface ReadFile {
  /** An object. Whether it is a commissioning file is for the service to say, with every mistake. */
  document: CommissioningFile
  /** Returns the line of a path of the document in the file. */
  lineOf: (path: string) => number | undefined
}

/** Reads a JSON or YAML file. Checks only its syntax; the service validates the rest. */
export async function readCommissioningFile(file: Blob): Promise<ReadFile> {
  if (file.size > MAX_BYTES) throw new CommissioningFileError(texts.tooLarge)
  const bytes = await file.arrayBuffer().catch(() => {
    throw new CommissioningFileError(texts.unreadable)
  })
  const parsed = await parseDocument(textOfFile(new Uint8Array(bytes)))
  if ('reasons' in parsed) throw new CommissioningFileError(texts.syntax, parsed.reasons)
  const { document, lineOf } = parsed
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new CommissioningFileError(texts.notAnObject)
  }
  return { document: document as CommissioningFile, lineOf }
}

/** Returns the file name of a system, in characters that every file system accepts. */
export function fileNameOf(system: string): string {
  const plain = system
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .toLowerCase()
  return `${plain || 'technical-system'}.json`
}
