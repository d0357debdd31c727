import { schemaExpression } from '@plantroom/contract/expressions'
import { PERSON_EMAIL } from '@plantroom/contract/patterns'
import { isWithin } from './limits.ts'

const EMAIL = schemaExpression(PERSON_EMAIL)

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
  const plain = withoutScheme(text.trim())
  if (isEmail(plain)) return { email: plain, name: '' }
  return readNamed(text.trim())
}

/** Reads `Mari Maasikas <mari@example.ee>`, with or without quotation marks. */
function readNamed(text: string): Address | undefined {
  const open = text.indexOf('<')
  if (open === -1 || text.indexOf('>') !== text.length - 1) return undefined
  const email = withoutScheme(text.slice(open + 1, -1).trim())
  const name = text.slice(0, open).trim().replace(/^"/, '').replace(/"$/, '')
  return isEmail(email) && !name.includes('"') ? { email, name: name.trim() } : undefined
}

const withoutScheme = (address: string) => address.replace(/^mailto:/i, '')
