const LONGEST_NAME = 255
const PACKAGE_NAME = /^[A-Za-z0-9äöõüÄÖÕÜ _.()-]+\.fpl$/i

/**
 * Returns the rule that the name of an uploaded package breaks, as the end of a sentence; undefined for a valid name.
 */
export function flawOfPackageName(name: string): string | undefined {
  const composed = name.normalize('NFC')
  if (!/\.fpl$/i.test(composed)) return 'must end in .fpl'
  if (composed.length > LONGEST_NAME) return `must be at most ${LONGEST_NAME} characters`
  if (composed.toLowerCase() === '.fpl') return 'must have something before .fpl'
  if (!PACKAGE_NAME.test(composed)) return 'may contain letters (also ä, ö, õ, ü), digits, spaces and _ - . ( )'
  return undefined
}
