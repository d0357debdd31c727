import { schemaExpression } from '@plantroom/contract/expressions'
import type { AdjustedValue } from '@plantroom/contract/jobs'
import { manifestSchema } from '@plantroom/fpl/manifest-schema'
import type { StoredFile } from '../requests/index.ts'

/** A file with a name and a type that a package may have. */
interface AdjustedFile {
  readonly file: StoredFile
  readonly name: string
  readonly contentType: string | null
}

/** Changes values that were stored under older rules and that an import would reject today. */
interface Adjustments {
  /** `path` is that of the request or comment that has the files. */
  files(list: readonly StoredFile[], path: string): AdjustedFile[]
  feedback(value: number | null, path: string): number | null
  /** The first changes. */
  readonly made: readonly AdjustedValue[]
}

const MOST_TOLD = 1000
const { attachmentName, contentType: typeRule } = manifestSchema.definitions
const NAME = schemaExpression(attachmentName.pattern)
const TYPE = schemaExpression(typeRule.pattern)

export function createAdjustments(): Adjustments {
  const made: AdjustedValue[] = []
  function report(path: string, value: string, became: string | null): void {
    if (made.length < MOST_TOLD) made.push({ path, value, became })
  }

  return {
    made,
    files(list, path) {
      const used = new Set(list.map(({ name }) => name.normalize('NFC')))
      return list.map((file, index) => {
        const at = `${path}.attachments[${index}]`
        const name = NAME.test(file.name) ? file.name : unused(repaired(file.name), used)
        if (name !== file.name) report(`${at}.name`, file.name, name)
        const contentType = file.contentType !== null && TYPE.test(file.contentType) ? file.contentType : null
        if (file.contentType !== null && contentType === null) report(`${at}.contentType`, file.contentType, null)
        return { file, name, contentType }
      })
    },
    feedback(value, path) {
      if (value === null || Number.isSafeInteger(value)) return value
      report(`${path}.feedback`, String(value), null)
      return null
    },
  }
}

/** Returns the name with one dot in place of several, in each of its folders. */
function repaired(name: string): string {
  const parts = name.split('/').map((part) => part.replace(/\.{2,}/g, '.'))
  return parts.map((part) => (part === '.' ? 'file' : part)).join('/')
}

function unused(name: string, used: Set<string>): string {
  const dot = name.lastIndexOf('.')
  const hasEnding = dot > name.lastIndexOf('/') + 1
  const [stem, ending] = hasEnding ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  let free = name
  for (let copy = 2; used.has(free.normalize('NFC')); copy += 1) free = `${stem} (${copy})${ending}`
  used.add(free.normalize('NFC'))
  return free
}
