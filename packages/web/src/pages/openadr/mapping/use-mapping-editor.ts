import type { OpenadrMapping, OpenadrProgram } from '@plantroom/contract/openadr'
import { DEFAULT_SILENCE_SECONDS } from '@plantroom/contract/openadr-mapping'
import { useDeferredValue, useMemo, useState } from 'react'
import { useDocumentEditor } from '../../../parts/use-document-editor.ts'
import { describeProblem } from '../describe-problem.ts'
import { profileOf } from '../profile-of.ts'
import { draftOf, draftProblems, type MappingDraft, mappingOf, mappingProblems } from './mapping-draft.ts'

/** One mapping that is edited as a form and as a file. */
export function useMappingEditor(program: OpenadrProgram) {
  const profile = useMemo(() => profileOf(program), [program])
  const [stored, setStored] = useState(program.mapping)
  const editor = useDocumentEditor<MappingDraft>(() => draftOf(program.mapping), {
    toDocument: mappingOf,
    toDraft(document, lineOf) {
      const given = withDefaults(document)
      const broken = mappingProblems(given, undefined)
      const all = broken.length > 0 ? broken : mappingProblems(given, profile)
      const problems = all.map((problem) => describeProblem(problem, lineOf))
      return { problems, draft: broken.length > 0 ? undefined : draftOf(given as OpenadrMapping) }
    },
  })

  const edited = useDeferredValue(editor.draft)
  const mapping = useMemo(() => mappingOf(edited), [edited])
  const problems = useMemo(() => draftProblems(edited, profile), [edited, profile])
  const isChanged = useMemo(
    () => JSON.stringify(mapping) !== JSON.stringify(mappingOf(draftOf(stored))),
    [mapping, stored],
  )

  return {
    ...editor,
    profile,
    problems,
    isChanged,
    mapping: () => mappingOf(editor.draft),
    saved: (now: OpenadrMapping) => setStored(now),
  }
}

/** What a file may leave out. */
const withDefaults = (document: unknown): unknown =>
  typeof document === 'object' && document !== null && !Array.isArray(document)
    ? { silenceSeconds: DEFAULT_SILENCE_SECONDS, ...document }
    : document
