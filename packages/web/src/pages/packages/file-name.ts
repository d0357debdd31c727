const LONGEST = 255
const ENDING = '.fpl'
const ALLOWED = /^[A-Za-z0-9äöõüÄÖÕÜ _.()-]+$/

/** What may be wrong with the name of a package. */
export type NameFlaw = 'ending' | 'nothing-before' | 'too-long' | 'characters'

/** What keeps the service from taking a package of this name; `undefined` for a good one. */
export function flawOf(name: string): NameFlaw | undefined {
  const composed = name.normalize('NFC')
  if (!composed.toLowerCase().endsWith(ENDING)) return 'ending'
  if (composed.length > LONGEST) return 'too-long'
  if (composed.length === ENDING.length) return 'nothing-before'
  return ALLOWED.test(composed) ? undefined : 'characters'
}

/** A good name that is as near to this one as can be; `undefined` where the file does not look like a package. */
export function mend(name: string): string | undefined {
  const stem = stemOf(name.normalize('NFC').replace(/^.*[/\\]/s, ''))
  if (stem === undefined) return undefined
  const plain = [...stem]
    .map(inAllowedLetters)
    .join('')
    .replace(/-{2,}/g, '-')
    .replace(/^[-. ]+|[-. ]+$/g, '')
    .slice(0, LONGEST - ENDING.length)
  return `${plain || 'package'}${ENDING}`
}

/** The name without what says of which kind the file is: an archive that was not renamed yet is a package too. */
function stemOf(name: string): string | undefined {
  const [, stem] = /^(.*?)\.(?:fpl|zip)(?:\.(?:fpl|zip|txt))?$/is.exec(name) ?? []
  if (stem !== undefined) return stem
  return /\.[A-Za-z0-9]{1,5}$/.test(name) ? undefined : name
}

/** `š` is `s` then; what has no letter near it is a hyphen. */
function inAllowedLetters(character: string): string {
  if (ALLOWED.test(character)) return character
  if (/\s/.test(character)) return ' '
  const letter = character.normalize('NFD').replace(/\p{M}/gu, '')
  return letter !== '' && ALLOWED.test(letter) ? letter : '-'
}
