import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { type Document, LineCounter, parseDocument, stringify } from 'yaml'

/**
 * Reads a JSON or YAML file with an object at its root. Checks only the syntax; an error names the file in one line.
 * `what` and `fields` complete that line: the kind of file, and the fields it must have.
 */
export async function readDocument(path: string, what: string, fields: string): Promise<object> {
  return (await readDocumentWithLines(path, what, fields)).content
}

/** A file as its author wrote it, to find the lines of its parts. */
export interface ReadDocument {
  content: object
  source: Document
  lines: LineCounter
}

/** Reads a file like `readDocument`, and keeps where everything stands. */
export async function readDocumentWithLines(path: string, what: string, fields: string): Promise<ReadDocument> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read (${error.code})`)
  })
  if (!isUtf8(bytes)) throw new Error(`${path} is not in UTF-8: save it as UTF-8`)
  const text = bytes.toString()
  const lines = new LineCounter()
  const source = parseDocument(text, { lineCounter: lines })
  const content = contentOf(path, source)
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Error(`${path} is not a ${what}: it must be an object with ${fields}`)
  }
  return { content, source, lines }
}

/** Returns content as YAML that reads back as the same content. */
export const writeDocument = (content: object): string =>
  stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })

function contentOf(path: string, source: Document): unknown {
  const [syntaxError] = source.errors
  const failed = (message: string) => new Error(`${path} is neither JSON nor YAML: ${message.split('\n')[0]}`)
  if (syntaxError) throw failed(syntaxError.message)
  try {
    // JSON is YAML. A few aliases are legitimate; a file full of them is a bomb.
    return source.toJS({ maxAliasCount: 100 })
  } catch (error) {
    if (error instanceof ReferenceError) throw failed(error.message)
    throw error
  }
}
