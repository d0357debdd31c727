const LONGEST_NAME = 255
// RFC 9110: a type, a subtype and parameters, all of visible ASCII.
const MEDIA_TYPE =
  /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}(?:; ?[\w!#$&^.+-]{1,64}=(?:[\w!#$&^.+-]{1,64}|"[\w .+:/-]{0,64}"))*$/

/**
 * `Content-Disposition` that makes a browser save the file (RFC 6266): in ASCII for the old ones, whole for the others.
 * Of a name with folders the last part is taken.
 */
export function attachmentDisposition(filename: string): string {
  const name = savedName(filename)
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|["\\%]/g, '_')
  // RFC 8187 allows fewer characters than encodeURIComponent leaves.
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** The type as it was given, or `application/octet-stream` when it is none that a header can hold. */
export function mediaType(text: string | null | undefined): string {
  return text && text.length <= LONGEST_NAME && MEDIA_TYPE.test(text) ? text : 'application/octet-stream'
}

function savedName(filename: string): string {
  const last = filename.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const name = [...last.replace(/\p{Cc}|\p{Bidi_C}/gu, '').trim()].slice(0, LONGEST_NAME).join('')
  return /^\.*$/.test(name) ? 'file' : name
}
