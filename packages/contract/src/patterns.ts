/** Regular expressions for JSON Schemas. */
export const NOT_BLANK = '\\S'
export const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'
/** An @, a domain with a dot, and no white space. */
export const EMAIL = '^[^\\s@]+@[^\\s@][^\\s@.]*\\.[^\\s@]+$'
/** Text that every text column takes: not empty, without U+0000. */
export const STORABLE = '^[^\\u0000]+$'
/** A word of an installer's own vocabulary, for example `battery.charge-power`. */
export const TAG = '^[A-Za-z0-9][A-Za-z0-9._:/-]*$'
/** The name of a group of sites: no comma, no control characters, no space at either end. */
export const SITE_TAG = '^[^\\s,\\u0000-\\u001f\\u007f](?:[^,\\u0000-\\u001f\\u007f]*[^\\s,\\u0000-\\u001f\\u007f])?$'
/** An email address of a person. Stricter than `EMAIL`: no quotes, comments or control characters. */
export const PERSON_EMAIL =
  '^[^\\s@<>()\\[\\],;:"\\\\\\u0000-\\u001f\\u007f-\\u009f]+@(?:[^\\s@.<>()\\[\\],;:"\\\\/\\u0000-\\u001f\\u007f-\\u009f]+\\.)+[^\\s@.<>()\\[\\],;:"\\\\/\\u0000-\\u001f\\u007f-\\u009f]{2,}$'

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const QUOTED = '"(?:[^"\\\\\\u0000-\\u001f\\u007f]|\\\\[^\\u0000-\\u001f\\u007f])*"'
/** A MIME type with or without parameters, for example `text/plain; charset=utf-8` (RFC 9110). */
export const MEDIA_TYPE = `^${TOKEN}/${TOKEN}(?:[ \\t]*;(?:[ \\t]*${TOKEN}=(?:${TOKEN}|${QUOTED}))?)*$`
