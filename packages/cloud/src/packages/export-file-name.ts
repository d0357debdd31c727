import { flawOfPackageName } from '@plantroom/fpl/package-name'

const LONGEST_SITE = 100

/** The name of the package that holds a site's requests: one that could be uploaded as it is. */
export function exportFileName(siteName: string, at: number): string {
  const day = new Date(at).toISOString().slice(0, 10)
  const site = siteName
    .normalize('NFC')
    .replace(/[^A-Za-z0-9äöõüÄÖÕÜ _()-]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, LONGEST_SITE)
    .trim()
  const name = `${site || 'site'} ${day}.fpl`
  const flaw = flawOfPackageName(name)
  if (flaw) throw new Error(`${name} ${flaw}`)
  return name
}
