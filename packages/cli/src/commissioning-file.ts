import { readFile } from 'node:fs/promises'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { parse, YAMLParseError } from 'yaml'

/** Reads a commissioning file, JSON or YAML. Only its syntax is judged here; the rest is the service's. */
export async function readCommissioningFile(path: string): Promise<CommissioningFile> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read (${error.code})`)
  })
  try {
    // JSON is YAML. A few aliases are honest; a file that is made of them is a bomb.
    const content: unknown = parse(text, { maxAliasCount: 100 })
    if (typeof content !== 'object' || content === null || Array.isArray(content)) {
      throw new Error(`${path} holds no commissioning file: it must be an object with technicalSystem and connections`)
    }
    return content as CommissioningFile
  } catch (error) {
    if (!(error instanceof YAMLParseError)) throw error
    throw new Error(`${path} is neither JSON nor YAML: ${error.message.split('\n')[0]}`)
  }
}
