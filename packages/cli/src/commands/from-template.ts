import { writeDocument } from '@plantroom/base/document'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { fillTemplate, questionsOf, type Template } from '@plantroom/contract/templates'
import { createAtomicFile } from '../atomic-file.ts'
import { repeated, UsageError, valued } from '../command.ts'
import { printable } from '../output.ts'
import { nearest, similarNames } from '../suggest.ts'
import { loadTemplate } from './template.ts'

/** Options of `commission` that make the file instead of reading it. */
export const TEMPLATE_FLAGS = {
  'from-template': valued('NAME', 'make the file from this template; see plantroom template list'),
  set: repeated('KEY=VALUE', 'answers a question of the template'),
  out: valued('FILE', 'write the file made from a template here, and load nothing', { completes: 'file' }),
} as const

/** Fills a template in. Throws one error with everything that is missing or wrong. */
export async function fileFromTemplate(name: string, set: readonly string[] = []): Promise<CommissioningFile> {
  const template = await loadTemplate(name)
  const { file, problems } = fillTemplate(template, answersOf(set))
  if (file) return file
  const keys = keysOf(template)
  const list = problems.map(({ path, message }) => {
    const meant = keys.includes(path) ? '' : similarNames(nearest(path, keys))
    return `--set ${path}=…: ${message}${meant}`
  })
  throw new Error(`${name} cannot be filled in: ${list.join('; ')}`)
}

/** The keys of all questions, whatever the protocol. */
const keysOf = (template: Template): string[] => [
  ...new Set(template.protocols.flatMap(({ protocol }) => questionsOf(template, protocol).map(({ key }) => key))),
]

/** Parses `KEY=VALUE`. A value may contain further equals signs. */
function answersOf(set: readonly string[]): Record<string, string> {
  const answers = new Map<string, string>()
  for (const text of set) {
    const at = text.indexOf('=')
    const key = text.slice(0, at).trim()
    if (at < 1 || key === '') throw new UsageError(`--set ${text} is not KEY=VALUE`)
    if (answers.has(key)) throw new UsageError(`--set ${key} is given twice`)
    answers.set(key, text.slice(at + 1))
  }
  return Object.fromEntries(answers)
}

/** Writes the file to disk, or prints it. */
export function deliverFile(
  file: CommissioningFile,
  { out, json }: { out?: string | undefined; json?: boolean | undefined },
): void {
  const text = json ? `${JSON.stringify(file)}\n` : writeDocument(file)
  if (out === undefined) return void process.stdout.write(text)
  const target = createAtomicFile(out)
  try {
    target.write(writeDocument(file))
    target.commit()
  } finally {
    target.discard()
  }
  if (json) process.stdout.write(text)
  else
    console.log(`${printable(out)} is a commissioning file: load it with plantroom commission DEVICE ${printable(out)}`)
}
