const MAX_LENGTH = 255
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

/** Turns the names of uploaded files into names that a package can have: no folders, no two dots, each only once. */
export function attachmentNames(given: readonly string[]): string[] {
  const used = new Set<string>()
  return given.map((text) => {
    const name = safeName(text)
    let unique = name
    for (let copy = 2; used.has(unique); copy += 1) unique = numbered(name, copy)
    used.add(unique)
    return unique
  })
}

/** Returns a declared type that a package can have, or null. Nothing trusts it: see `readImageHeader`. */
export function declaredType(text: string | null | undefined): string | null {
  return text && MEDIA_TYPE.test(text) ? text.toLowerCase() : null
}

function safeName(text: string): string {
  const last = text.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .replace(/\p{Cc}|\p{Bidi_C}/gu, '')
    .replace(/\.{2,}/g, '.')
    .trim()
  const name = cut(plain, MAX_LENGTH)
  return /^\.?$/.test(name) ? 'file' : name
}

function numbered(name: string, copy: number): string {
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  const tail = ` (${copy})${ending}`
  return tail.length >= MAX_LENGTH ? `${copy}` : `${cut(stem, MAX_LENGTH - tail.length)}${tail}`
}

const cut = (text: string, longest: number) => text.slice(0, longest).toWellFormed()
