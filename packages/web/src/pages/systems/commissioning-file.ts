import { type CommissioningFile, lineOf } from '@plantroom/contract/commissioning'
import { format } from '../../texts/format.ts'
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
  const text = await file.text().catch(() => {
    throw new CommissioningFileError(texts.unreadable)
  })
  // Loaded on demand: few visitors load a file.
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  // JSON is YAML.
  const parsed = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (parsed.errors.length > 0) {
    const reasons = parsed.errors.map(({ message, pos: [start] }) =>
      format(texts.syntaxAt, { line: lines.linePos(start).line, reason: message }),
    )
    throw new CommissioningFileError(texts.syntax, reasons)
  }
  const document = contentOf(parsed)
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new CommissioningFileError(texts.notAnObject)
  }
  return { document: document as CommissioningFile, lineOf: (path) => lineOf(parsed, lines, path) }
}

/** A file made of aliases could expand without bounds. */
function contentOf(parsed: { toJS(options: { maxAliasCount: number }): unknown }): unknown {
  try {
    return parsed.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new CommissioningFileError(texts.syntax, [(error as Error).message.split('\n')[0] ?? ''])
  }
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
