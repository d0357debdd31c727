import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { type ReadDocument, readDocumentWithLines } from './document.ts'

/** Where the templates of this installation are. */
export const TEMPLATES = join(import.meta.dirname, '../../../templates')

const EXTENSION = '.yaml'

/** Returns the names of the templates in a folder, in order. */
export async function templateNames(folder = TEMPLATES): Promise<string[]> {
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the folder of templates ${folder} cannot be read (${error.code}): is the installation complete?`)
  })
  return files
    .filter((file) => extname(file) === EXTENSION)
    .map((file) => basename(file, EXTENSION))
    .toSorted()
}

/** Reads a template of a folder. Checks only its syntax. */
export async function readTemplate(name: string, folder = TEMPLATES): Promise<object> {
  return (await readTemplateFile(join(folder, `${name}${EXTENSION}`))).content
}

/** Reads a file that should be a template, and keeps where everything stands. Checks only its syntax. */
export function readTemplateFile(path: string): Promise<ReadDocument> {
  return readDocumentWithLines(path, 'template', 'name, protocols and datapoints')
}
