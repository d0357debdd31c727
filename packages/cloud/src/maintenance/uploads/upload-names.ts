import { SOURCE_ENDINGS } from '@plantroom/contract/conversion-jobs'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { UploadPurpose } from '@plantroom/contract/uploads'
import { flawOfPackageName } from '@plantroom/fpl/package-name'
import { sourceUploadName } from '../../platform/files/index.ts'

const LONGEST = 255

/** Returns the name of a package in NFC. Throws `invalid` for a name that is not allowed. */
export function readFileName(filename: string): string {
  const flaw = flawOfPackageName(filename)
  if (flaw !== undefined) throw new Failure('invalid', `filename ${flaw}`, 'filename')
  return filename.normalize('NFC')
}

/** Returns the name of a file of an export in NFC. Throws `invalid` for one that no conversion reads. */
export function readSourceName(filename: string): string {
  const composed = filename.normalize('NFC')
  const refuse = (problem: string) => new Failure('invalid', `filename ${shown(filename)} ${problem}`, 'filename')
  if (composed.length > LONGEST) throw refuse(`has more than ${LONGEST} characters: rename the file`)
  const isKnown = SOURCE_ENDINGS.some((ending) => composed.toLowerCase().endsWith(`.${ending}`))
  if (!isKnown) throw refuse(`must end in .${SOURCE_ENDINGS.join(', .')}`)
  return composed
}

/**
 * Returns the name under which an upload is stored and recorded. A package has its own, so that another one replaces it.
 * Two exports of the same name are two files.
 */
export const storedNameOf = (upload: { purpose: UploadPurpose; id: string; filename: string }): string =>
  upload.purpose === 'conversion' ? sourceUploadName(upload.id) : upload.filename
