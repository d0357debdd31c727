import { readFile } from 'node:fs/promises'
import { parse, YAMLParseError } from 'yaml'

/**
 * Reads a JSON or YAML file with an object at its root. Checks only the syntax; an error names the file in one line.
 * `what` and `fields` complete that line: the kind of file, and the fields it must have.
 */
export async function readDocument(path: string, what: string, fields: string): Promise<object> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read (${error.code})`)
  })
  const content = parsed(path, text)
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Error(`${path} is not a ${what}: it must be an object with ${fields}`)
  }
  return content
}

function parsed(path: string, text: string): unknown {
  try {
    // JSON is YAML. A few aliases are legitimate; a file full of them is a bomb.
    return parse(text, { maxAliasCount: 100 })
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error
    throw new Error(`${path} is neither JSON nor YAML: ${error.message.split('\n')[0]}`)
  }
}
