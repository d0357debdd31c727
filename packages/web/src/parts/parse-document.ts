import { lineOf } from '@plantroom/contract/commissioning'
import { documents as texts } from '../texts/documents.ts'
import { format } from '../texts/format.ts'

/** A document that a person wrote. */
export interface WrittenDocument {
  document: unknown
  /** Returns the line of a path of the document, or of what is around it. */
  lineOf: (path: string) => number | undefined
}

/** Reads JSON or YAML. Checks only its syntax: returns the document, or every reason why it is none. */
export async function parseDocument(text: string): Promise<WrittenDocument | { reasons: readonly string[] }> {
  // Loaded on demand: few visitors write a file.
  const { LineCounter, parseDocument: parseYaml } = await import('yaml')
  const lines = new LineCounter()
  // JSON is YAML.
  const parsed = parseYaml(text, { lineCounter: lines, prettyErrors: false })
  if (parsed.errors.length > 0) {
    return {
      reasons: parsed.errors.map(({ message, pos: [start] }) =>
        format(texts.at, { line: lines.linePos(start).line, reason: message }),
      ),
    }
  }
  try {
    // A file made of aliases could expand without bounds.
    return { document: parsed.toJS({ maxAliasCount: 100 }), lineOf: (path) => lineOf(parsed, lines, path) }
  } catch (error) {
    return { reasons: [(error as Error).message.split('\n')[0] ?? ''] }
  }
}

/** Writes a document as YAML. */
export async function writeDocument(document: object): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(document, { lineWidth: 0 })
}
