/** An escape, or the two of a pair of surrogates. Each backslash belongs to one match, so that an escaped one hides nothing. */
const ESCAPES = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u0000|u[dD][89a-fA-F][\da-fA-F]{2}|.)/gs
const SIZE_OF_ONE = '\\u0000'.length

/** Parses what a VTN sends; undefined if it is not JSON. What no text of a database can hold, such as U+0000, becomes U+FFFD. */
export function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text.includes('\\u') ? text.replace(ESCAPES, storable) : text)
  } catch {
    return undefined
  }
}

const storable = (written: string) => (written.length === SIZE_OF_ONE ? '\\ufffd' : written)
