import {
  allFileProblems,
  type CommissionedConnection,
  type CommissioningFile,
  type FileProblem,
} from '@plantroom/contract/commissioning'
import { useDeferredValue, useMemo } from 'react'
import { useDocumentEditor } from '../../../parts/use-document-editor.ts'
import { documents } from '../../../texts/documents.ts'
import { format } from '../../../texts/format.ts'
import type { Start } from './start.ts'

/** How many mistakes are listed below the file. */
const SHOWN = 20

/** One commissioning file that is edited as a form and as a file, checked by the rules of the service. */
export function useFileEditor({ file, text }: Pick<Start, 'file' | 'text'>) {
  const editor = useDocumentEditor<CommissioningFile>(
    () => file,
    {
      toDocument: (draft) => draft,
      toDraft: (document, lineOf) => ({
        problems: allFileProblems(document).slice(0, SHOWN).map(describe(lineOf)),
        draft: isShaped(document) ? document : undefined,
      }),
    },
    text,
  )
  const edited = useDeferredValue(editor.draft)
  const problems = useMemo(() => new Map(allFileProblems(edited).map(({ path, message }) => [path, message])), [edited])
  return { ...editor, problems }
}

const describe =
  (lineOf: (path: string) => number | undefined) =>
  ({ path, message }: FileProblem): string => {
    const reason = path === '' ? message : `${path}: ${message}`
    const line = lineOf(path)
    return line === undefined ? reason : format(documents.at, { line, reason })
  }

/** Reports whether the form can show a document, also one with mistakes in it. */
function isShaped(document: unknown): document is CommissioningFile {
  return (
    isFields(document) &&
    isTextOrMissing(document.technicalSystem) &&
    Array.isArray(document.connections) &&
    document.connections.every(isConnection)
  )
}

const isConnection = (one: unknown): one is CommissionedConnection =>
  isFields(one) &&
  isTextOrMissing(one.name) &&
  isTextOrMissing(one.protocol) &&
  isFields(one.settings) &&
  Array.isArray(one.datapoints) &&
  one.datapoints.every(
    (datapoint: unknown) =>
      isFields(datapoint) &&
      [datapoint.name, datapoint.accessType, datapoint.unit].every(isTextOrMissing) &&
      isFields(datapoint.data),
  )

const isTextOrMissing = (value: unknown) => value === undefined || typeof value === 'string'

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
