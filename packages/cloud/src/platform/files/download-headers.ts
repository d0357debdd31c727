const MAX_LENGTH = 255
const UNKNOWN_TYPE = 'application/octet-stream'
// RFC 9110: a type, a subtype and parameters, all of visible ASCII.
const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:; ?[\w!#$&^.+-]{1,64}=(?:[\w!#$&^.+-]{1,64}|"[\w .+:/-]{0,64}"))*$/

/**
 * Returns a `Content-Disposition` (RFC 6266) that makes browsers save the file: an ASCII name for old browsers, the full name
 * for others. Folders in the name are dropped.
 */
export const attachmentDisposition = (filename: string) => disposition('attachment', filename)

/** The same for a file that the browser shows. Only for types that no browser executes. */
export const inlineDisposition = (filename: string) => disposition('inline', filename)

function disposition(kind: 'attachment' | 'inline', filename: string): string {
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
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** Types that browsers do not execute, whatever they make of our other headers. HTML, XML, SVG and scripts are not here. */
const INERT_TYPES = new Set([
  ...['png', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'tiff', 'heic', 'heif'].map((name) => `image/${name}`),
  ...['plain', 'csv', 'markdown', 'calendar'].map((name) => `text/${name}`),
  ...['pdf', 'zip', 'gzip', 'json', 'rtf', 'msword', 'x-7z-compressed'].map((name) => `application/${name}`),
])
const INERT_FAMILIES = /^(?:audio|video)\/|^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-)/

/** Returns the given media type if browsers do not execute it; otherwise, and when it is unknown, `application/octet-stream`. */
export function mediaType(text: string | null | undefined): string {
  if (!text || text.length > MAX_LENGTH || !MEDIA_TYPE.test(text)) return UNKNOWN_TYPE
  const type = text.split(';')[0]?.toLowerCase() ?? ''
  const isInert = INERT_TYPES.has(type) || (INERT_FAMILIES.test(type) && !type.endsWith('xml'))
  return isInert ? text : UNKNOWN_TYPE
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
