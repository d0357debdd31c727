import { Failure } from '@plantroom/contract/failure'
import { flawOfPackageName } from '@plantroom/fpl/package-name'

const MAX_SITE_NAME = 100

/** Returns the name of a package in NFC. Throws `invalid` for a name that is not allowed. */
export function readFileName(filename: string): string {
  const flaw = flawOfPackageName(filename)
  if (flaw !== undefined) throw new Failure('invalid', `filename ${flaw}`, 'filename')
  return filename.normalize('NFC')
}

/** Returns the file name of an export, which follows the rules for uploads. */
export function exportFileName(siteName: string, at: number): string {
  const day = new Date(at).toISOString().slice(0, 10)
  const site = siteName
    .normalize('NFC')
    .replace(/[^A-Za-z0-9äöõüÄÖÕÜ _()-]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, MAX_SITE_NAME)
    .trim()
  const name = `${site || 'site'} ${day}.fpl`
  const flaw = flawOfPackageName(name)
  if (flaw) throw new Error(`${name} ${flaw}`)
  return name
}
