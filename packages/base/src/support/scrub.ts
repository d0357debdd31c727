import { redact } from '../redact.ts'

const IP = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g
const LOOPBACK = /^(127\.|0\.0\.0\.0)/
const SECRET_OPTION = /pass|secret|token|key|user/i
const SHORTEST_SECRET = 6

/** Removes what people wrote or are called, where they are, and what gives access, from a message. */
export function scrubText(text: string): string {
  return withoutQuoted(redact(text)).replace(IP, (address) => (LOOPBACK.test(address) ? address : '[address]'))
}

/** Where a value starts: PostgreSQL and others repeat values in quotes or after an equals sign in parentheses. */
const START = /"|=\(/g
/** The content of quotes, up to their end or that of the text. */
const QUOTED = /(?:[^"\\]|\\.)*/y

/** Looks for the end of each value only once, also where a hostile text has starts without an end. */
function withoutQuoted(text: string): string {
  let left = ''
  let done = 0
  /** A quotation mark before this has no end. */
  let endless = 0
  const lastBracket = text.lastIndexOf(')')
  for (const { 0: start, index } of text.matchAll(START)) {
    if (index < done || (start === '"' ? index < endless : index > lastBracket)) continue
    let end = text.indexOf(')', index)
    if (start === '"') {
      QUOTED.lastIndex = index + 1
      end = QUOTED.test(text) ? QUOTED.lastIndex : index + 1
      if (text[end] !== '"') {
        endless = end
        continue
      }
    }
    left += `${text.slice(done, index)}[text]`
    done = end + 1
  }
  return left + text.slice(done)
}

/** Returns a function that removes known secrets in any form in which they may appear. */
export function secretRemover(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap(formsOf)
    // A secret may contain another.
    .toSorted((a, b) => b.length - a.length)
  return (text) => forms.reduce((left, form) => left.replaceAll(form, '[secret]'), text)
}

/** The secret itself, in an address, in JSON, in Base64 and in hexadecimal digits; the parts of an address, too. */
function formsOf(secret: string): string[] {
  const parts = [secret, ...credentialsOf(secret)].filter((part) => part.length >= SHORTEST_SECRET)
  return parts.flatMap((part) => {
    const bytes = Buffer.from(part)
    const forms = [part, encodeURIComponent(part), JSON.stringify(part).slice(1, -1), bytes.toString('hex')]
    const coded = [bytes.toString('base64'), bytes.toString('base64url')].map((text) => text.replace(/(?<!=)=+$/, ''))
    return [...new Set([...forms, ...coded])]
  })
}

/** The password, the options that are secrets, and a name that is a mail address. Other names are common words. */
function credentialsOf(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { username, password, searchParams } = new URL(text)
  const options = [...searchParams].flatMap(([name, value]) => (SECRET_OPTION.test(name) ? [value] : []))
  const names = [decoded(username), ...searchParams.values()].filter((name) => name.includes('@'))
  return [password, decoded(password), ...options, ...names]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
