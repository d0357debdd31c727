import { readFile } from 'node:fs/promises'
import { parse, YAMLParseError } from 'yaml'

/**
 * Reads a file that a person wrote, JSON or YAML, with an object at its root. Only its syntax is judged: rejects with one
 * line that names the file. `what` and `fields` are for that line: what the file is called, and what the object has.
 */
export async function readDocument(path: string, what: string, fields: string): Promise<object> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read (${error.code})`)
  })
  const content = parsed(path, text)
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new Error(`${path} holds no ${what}: it must be an object with ${fields}`)
  }
  return content
}

function parsed(path: string, text: string): unknown {
  try {
    // JSON is YAML. A few aliases are honest; a file that is made of them is a bomb.
    return parse(text, { maxAliasCount: 100 })
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error
    throw new Error(`${path} is neither JSON nor YAML: ${error.message.split('\n')[0]}`)
  }
}
