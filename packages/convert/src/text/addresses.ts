import { PERSON_EMAIL } from '@plantroom/contract/patterns'
import { isWithin } from './limits.ts'

const EMAIL = new RegExp(PERSON_EMAIL, 'u')
/** `Mari Maasikas <mari@example.ee>`, with or without quotation marks. */
const NAMED = /^\s*"?([^"<>]*?)"?\s*<\s*(?:mailto:)?([^<>\s]+)\s*>\s*$/i

/** An address as people write it, taken apart. */
export interface Address {
  readonly email: string
  /** Empty if the text has none. */
  readonly name: string
}

export function isEmail(text: string): boolean {
  return EMAIL.test(text) && isWithin(text, 255)
}

/** Reads `mari@example.ee`, `mailto:mari@example.ee` or `Mari <mari@example.ee>`; undefined for anything else. */
export function readAddress(text: string): Address | undefined {
  const plain = text.trim().replace(/^mailto:/i, '')
  if (isEmail(plain)) return { email: plain, name: '' }
  const [, name = '', email = ''] = NAMED.exec(text) ?? []
  return isEmail(email) ? { email, name: name.trim() } : undefined
}
