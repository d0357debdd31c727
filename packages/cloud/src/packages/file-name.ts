import { Failure } from '@plantroom/contract/failure'
import { flawOfPackageName } from '@plantroom/fpl/package-name'

/** The name of a package as it is kept, with letters composed; throws `invalid`, naming the field, for one that is not allowed. */
export function readFileName(filename: string): string {
  const flaw = flawOfPackageName(filename)
  if (flaw !== undefined) throw new Failure('invalid', `filename ${flaw}`, 'filename')
  return filename.normalize('NFC')
}
