const LONGEST = 150
// Separators, what Windows refuses, and control characters.
const UNSAFE = /[\\/:*?"<>|\p{Cc}\p{Cs}]/gu
/** A tower of accents on one letter, which readers of archives refuse. */
const MARKS = /(\p{M}{4})\p{M}+/gu

/** Returns a name that is safe as part of a path in a package, and recognizable. */
export function safeName(name: string): string {
  const cleaned = name
    .normalize('NFC')
    .replaceAll(UNSAFE, '_')
    .replaceAll(MARKS, '$1')
    // The contract refuses two dots anywhere.
    .replaceAll(/\.{2,}/g, '_')
    .trim()
  return shortened(cleaned === '' || cleaned === '.' ? 'file' : cleaned)
}

/** Keeps the extension. */
function shortened(name: string): string {
  const characters = [...name]
  if (characters.length <= LONGEST) return name
  const extension = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return characters.slice(0, LONGEST - extension.length).join('') + extension
}

/** Names in use, each with the number that its next copy gets. */
export type UsedNames = Map<string, number>

/** Returns the name, or with ` (2)`, ` (3)` and so on before its extension if it is in use, and adds it to `used`. */
export function uniqueName(name: string, used: UsedNames): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  let unique = name
  let copy = used.get(name.toLowerCase()) ?? 2
  for (; used.has(unique.toLowerCase()); copy += 1) unique = `${stem} (${copy})${extension}`
  used.set(name.toLowerCase(), copy)
  if (unique !== name) used.set(unique.toLowerCase(), 2)
  return unique
}

const CONTENT_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:\s*;.*)?$/

/** Returns a MIME type that a package accepts, or undefined. */
export function usableContentType(text: string | undefined): string | undefined {
  const type = text?.trim() ?? ''
  return CONTENT_TYPE.test(type) && type.length <= 255 && !/[^\x20-\x7e]/.test(type) ? type : undefined
}

/** Returns the last part of a path or an address, decoded: `https://x/y/my%20photo.jpg?s=1` is `my photo.jpg`. */
export function lastPart(text: string): string {
  const isAddress = /^[a-z]+:\/\//i.test(text)
  const path = isAddress ? text.replace(/[?#].*$/s, '') : text
  const part = path.split(/[\\/]/).findLast((each) => each !== '') ?? path
  if (!isAddress) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
