const MAX_LENGTH = 255
// RFC 9110: a type, a subtype and parameters, all of visible ASCII.
const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:; ?[\w!#$&^.+-]{1,64}=(?:[\w!#$&^.+-]{1,64}|"[\w .+:/-]{0,64}"))*$/

/**
 * Returns a `Content-Disposition` (RFC 6266) that makes browsers save the file: an ASCII name for old browsers, the full name
 * for others. Folders in the name are dropped.
 */
export function attachmentDisposition(filename: string): string {
  const name = savedName(filename)
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|["\\%]/g, '_')
  // encodeURIComponent leaves characters that RFC 8187 does not allow.
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** Returns the given media type, or `application/octet-stream` when it is not valid in a header. */
export function mediaType(text: string | null | undefined): string {
  return text && text.length <= MAX_LENGTH && MEDIA_TYPE.test(text) ? text : 'application/octet-stream'
}

function savedName(filename: string): string {
  const last = filename.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const name = [...last.replace(/\p{Cc}|\p{Bidi_C}/gu, '').trim()].slice(0, MAX_LENGTH).join('')
  return /^\.*$/.test(name) ? 'file' : name
}

interface ByteRange {
  from: number
  /** The last byte, inclusive. */
  to: number
}

/**
 * Reads a `Range` header for a file of `size` bytes. Returns `whole` for anything but one valid byte range, and `none` for a
 * range beyond the end.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'whole' | 'none' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { from: size - length, to: size - 1 }
  }
  const from = Number(first)
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < from) return 'whole'
  return from >= size ? 'none' : { from, to }
}
