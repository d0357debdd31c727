import { SOURCE_ENDINGS } from '@plantroom/contract/conversion-jobs'
import { bytes } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { packages } from '../../texts/packages.ts'

const MOST_BYTES = 5e9

/** What to do with chosen or dropped files. */
export type Choice =
  | { kind: 'send'; file: File; name: string }
  /** The name is not allowed; `suggested` is one that is. */
  | { kind: 'rename'; file: File; flaw: string; suggested: string | undefined }
  /** It looks like the export of another system, which a conversion makes a package. */
  | { kind: 'convert'; file: File }
  | { kind: 'refuse'; reason: string }

/** Checks name and size before the upload, not after an hour of uploading. */
export function choiceOf(files: readonly File[], isFolder: boolean): Choice | undefined {
  const [file] = files
  if (isFolder) return { kind: 'refuse', reason: packages.name.folder }
  if (!file) return undefined
  if (files.length > 1) return { kind: 'refuse', reason: packages.name.several }
  if (file.size > MOST_BYTES)
    return { kind: 'refuse', reason: format(packages.name.tooLarge, { size: bytes(file.size) }) }
  const flaw = flawOf(file.name)
  if (flaw && isExport(file.name)) return { kind: 'convert', file }
  if (flaw) return { kind: 'rename', file, flaw: packages.name.flaw[flaw], suggested: suggestName(file.name) }
  return { kind: 'send', file, name: file.name.normalize('NFC') }
}

/** A ZIP is more likely a package that still needs its name, and so is a package that was renamed to .txt. */
const isExport = (name: string) =>
  SOURCE_ENDINGS.some((ending) => ending !== 'zip' && name.toLowerCase().endsWith(`.${ending}`)) &&
  !/\.(?:fpl|zip)\.txt$/i.test(name)

/** True when a file can be the one of an unfinished upload. Its parts are compared before anything is sent. */
export function isFileOf({ filename, size }: { filename: string; size: number }, file: File): boolean {
  const name = file.name.normalize('NFC')
  return file.size === size && (name === filename || suggestName(name) === filename)
}

const LONGEST = 255
const ENDING = '.fpl'
const ALLOWED = /^[A-Za-z0-9äöõüÄÖÕÜ _.()-]+$/

/** An error in the name of a package. */
type NameFlaw = 'ending' | 'nothing-before' | 'too-long' | 'characters'

/** Returns why the service would reject a package name; `undefined` for a valid one. */
export function flawOf(name: string): NameFlaw | undefined {
  const composed = name.normalize('NFC')
  if (!composed.toLowerCase().endsWith(ENDING)) return 'ending'
  if (composed.length > LONGEST) return 'too-long'
  if (composed.length === ENDING.length) return 'nothing-before'
  return ALLOWED.test(composed) ? undefined : 'characters'
}

/** Returns the closest valid name; `undefined` when the file does not look like a package. */
export function suggestName(name: string): string | undefined {
  const stem = stemOf(name.normalize('NFC').replace(/^.*[/\\]/s, ''))
  if (stem === undefined) return undefined
  const plain = [...stem]
    .map(inAllowedLetters)
    .join('')
    .replace(/-{2,}/g, '-')
    .replace(/^[-. ]+|(?<![-. ])[-. ]+$/g, '')
    .slice(0, LONGEST - ENDING.length)
  return `${plain || 'package'}${ENDING}`
}

/** Strips the extension. A .zip that was not renamed yet counts as a package. */
function stemOf(name: string): string | undefined {
  const [, stem] = /^(.*?)\.(?:fpl|zip)(?:\.(?:fpl|zip|txt))?$/is.exec(name) ?? []
  if (stem !== undefined) return stem
  return /\.[A-Za-z0-9]{1,5}$/.test(name) ? undefined : name
}

/** Replaces `š` by `s`, and characters without a similar letter by a hyphen. */
function inAllowedLetters(character: string): string {
  if (ALLOWED.test(character)) return character
  if (/\s/.test(character)) return ' '
  const letter = character.normalize('NFD').replace(/\p{M}/gu, '')
  return letter !== '' && ALLOWED.test(letter) ? letter : '-'
}
