import { packages } from '../../texts/packages.ts'
import { flawOf, mend } from './file-name.ts'

const MOST_BYTES = 5e9

/** What becomes of files that somebody brought. */
export type Choice =
  | { kind: 'send'; file: File; name: string }
  /** Under this name it cannot go; `mended` is one that could. */
  | { kind: 'rename'; file: File; flaw: string; mended: string | undefined }
  | { kind: 'refuse'; reason: string }

/** Judges before anything is sent: a wrong name or size is told at once, not after an hour of uploading. */
export function choiceOf(files: readonly File[], isFolder: boolean): Choice | undefined {
  const [file] = files
  if (isFolder) return { kind: 'refuse', reason: packages.name.folder }
  if (!file) return undefined
  if (files.length > 1) return { kind: 'refuse', reason: packages.name.several }
  if (file.size > MOST_BYTES) return { kind: 'refuse', reason: packages.name.tooLarge(file.size) }
  const flaw = flawOf(file.name)
  if (flaw) return { kind: 'rename', file, flaw: packages.name.flaw[flaw], mended: mend(file.name) }
  return { kind: 'send', file, name: file.name.normalize('NFC') }
}
