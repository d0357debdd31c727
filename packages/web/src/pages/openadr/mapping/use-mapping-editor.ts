import type { OpenadrMapping, OpenadrProgram } from '@plantroom/contract/openadr'
import { DEFAULT_SILENCE_SECONDS } from '@plantroom/contract/openadr-mapping'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { parseDocument, writeDocument } from '../../../parts/parse-document.ts'
import { describeProblem } from '../describe-problem.ts'
import { profileOf } from '../profile-of.ts'
import { draftOf, draftProblems, type MappingDraft, mappingOf, mappingProblems } from './mapping-draft.ts'

/** What the file says: nothing new, a mapping, or why it is none. */
type FileState = 'same' | 'broken'

/** One mapping that is edited as a form and as a file. Each follows the other, as far as it can be read. */
export function useMappingEditor(program: OpenadrProgram) {
  const profile = useMemo(() => profileOf(program), [program])
  const [stored, setStored] = useState(program.mapping)
  const [draft, setDraft] = useState<MappingDraft>(() => draftOf(program.mapping))
  const [text, setText] = useState('')
  const [file, setFile] = useState<{ state: FileState; problems: readonly string[] }>({ state: 'same', problems: [] })
  /** Only the newest reading or writing of the file counts. */
  const turn = useRef(0)

  const edited = useDeferredValue(draft)
  const mapping = useMemo(() => mappingOf(edited), [edited])
  const problems = useMemo(() => draftProblems(edited, profile), [edited, profile])
  const isChanged = useMemo(
    () => JSON.stringify(mapping) !== JSON.stringify(mappingOf(draftOf(stored))),
    [mapping, stored],
  )

  async function write(next: MappingDraft): Promise<void> {
    turn.current += 1
    const mine = turn.current
    const written = await writeDocument(mappingOf(next))
    if (turn.current === mine) {
      setText(written)
      setFile({ state: 'same', problems: [] })
    }
  }

  async function read(next: string): Promise<void> {
    turn.current += 1
    const mine = turn.current
    const parsed = await parseDocument(next)
    if (turn.current !== mine) return
    if ('reasons' in parsed) {
      setFile({ state: 'broken', problems: parsed.reasons })
      return
    }
    const given = withDefaults(parsed.document)
    const found = mappingProblems(given, undefined)
    const all = found.length > 0 ? found : mappingProblems(given, profile)
    setFile({
      state: found.length > 0 ? 'broken' : 'same',
      problems: all.map((problem) => describeProblem(problem, parsed.lineOf)),
    })
    if (found.length === 0) setDraft(draftOf(given as OpenadrMapping))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first text comes from the stored mapping
  useEffect(() => void write(draft), [])

  return {
    profile,
    draft,
    problems,
    isChanged,
    text,
    fileProblems: file.problems,
    /** The file cannot be read, so the form shows what it said before. */
    isFileBroken: file.state === 'broken',
    changeForm(next: MappingDraft) {
      setDraft(next)
      void write(next)
    },
    changeFile(next: string) {
      setText(next)
      void read(next)
    },
    /** Writes the file as the form is. */
    undoFile: () => void write(draft),
    mapping: () => mappingOf(draft),
    saved: (now: OpenadrMapping) => setStored(now),
  }
}

/** What a file may leave out. */
const withDefaults = (document: unknown): unknown =>
  typeof document === 'object' && document !== null && !Array.isArray(document)
    ? { silenceSeconds: DEFAULT_SILENCE_SECONDS, ...document }
    : document
