import { useEffect, useRef, useState } from 'react'
import { parseDocument, writeDocument } from './parse-document.ts'

/** What a document says: its problems, and a draft if the form can show it. */
interface ReadDraft<Draft> {
  draft?: Draft | undefined
  problems: readonly string[]
}

/** One document that is edited as a form and as a file. Each follows the other, as far as it can be read. */
export function useDocumentEditor<Draft>(
  initial: () => Draft,
  form: {
    toDocument(draft: Draft): object
    toDraft(document: unknown, lineOf: (path: string) => number | undefined): ReadDraft<Draft>
  },
  /** A file to begin with that may not be readable. Otherwise it is written from the draft. */
  initialText?: string,
) {
  const [draft, setDraft] = useState<Draft>(initial)
  const [text, setText] = useState('')
  const [file, setFile] = useState<{ isBroken: boolean; problems: readonly string[] }>(FINE)
  /** Only the newest reading or writing of the file counts. */
  const turn = useRef(0)

  async function write(next: Draft): Promise<void> {
    turn.current += 1
    const mine = turn.current
    const written = await writeDocument(form.toDocument(next))
    if (turn.current === mine) {
      setText(written)
      setFile(FINE)
    }
  }

  async function read(next: string): Promise<void> {
    turn.current += 1
    const mine = turn.current
    const parsed = await parseDocument(next)
    if (turn.current !== mine) return
    if ('reasons' in parsed) {
      setFile({ isBroken: true, problems: parsed.reasons })
      return
    }
    const given = form.toDraft(parsed.document, parsed.lineOf)
    setFile({ isBroken: given.draft === undefined, problems: given.problems })
    if (given.draft !== undefined) setDraft(given.draft)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first text comes from the stored document
  useEffect(() => {
    if (initialText === undefined) return void write(draft)
    setText(initialText)
    void read(initialText)
  }, [])

  return {
    draft,
    text,
    fileProblems: file.problems,
    /** The file cannot be read, so the form shows what it said before. */
    isFileBroken: file.isBroken,
    changeForm(next: Draft) {
      setDraft(next)
      void write(next)
    },
    changeFile(next: string) {
      setText(next)
      void read(next)
    },
    /** Writes the file as the form is. */
    undoFile: () => void write(draft),
  }
}

const FINE = { isBroken: false, problems: [] } as const
