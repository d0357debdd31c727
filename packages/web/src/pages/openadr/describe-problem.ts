import type { SchemaErrorDescription } from '@plantroom/contract/describe-error'
import { documents } from '../../texts/documents.ts'
import { format } from '../../texts/format.ts'
import { openadrMapping as texts } from '../../texts/openadr-mapping.ts'

/** Says what is wrong with a document, and in which line: `Line 3: resources[0].rules[0].table is missing`. */
export function describeProblem(
  { path, rule }: SchemaErrorDescription,
  lineOf: (path: string) => number | undefined,
): string {
  const reason = format(texts.problem, { path: path === '' ? texts.wholeFile : path, rule })
  const line = lineOf(path)
  return line === undefined ? reason : format(documents.at, { line, reason })
}
