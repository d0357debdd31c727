import type { Mentionable } from '@plantroom/contract/api'
import { anyOf } from '@plantroom/contract/expressions'

/** Longest text after an @ that still looks for a name. */
const MAX_QUERY = 40
const OFFERED = 6

/** A mention that is being typed: from its @ to the cursor. */
export interface MentionQuery {
  from: number
  query: string
}

/** Returns the mention at the cursor; `undefined` when there is none. An @ inside a word, as in an address, is none. */
export function mentionAt(text: string, caret: number): MentionQuery | undefined {
  const from = caret === 0 ? -1 : text.lastIndexOf('@', caret - 1)
  if (from === -1 || caret - from - 1 > MAX_QUERY) return undefined
  if (from > 0 && /[\p{L}\p{N}._%+-]/u.test(text[from - 1] ?? '')) return undefined
  const query = text.slice(from + 1, caret)
  return /[\n@]|^\s/.test(query) ? undefined : { from, query }
}

/** Returns the people whose name, one of its words, or address begins with the query. */
export function peopleFor(people: readonly Mentionable[], query: string): Mentionable[] {
  const wanted = query.toLowerCase()
  return people
    .filter(({ name, email }) => {
      const own = name.toLowerCase()
      return (
        own.startsWith(wanted) || own.split(/\s+/).some((word) => word.startsWith(wanted)) || email.startsWith(wanted)
      )
    })
    .slice(0, OFFERED)
}

/** Puts a name in place of what was typed, and returns where the cursor belongs. */
export function withMention(text: string, { from, query }: MentionQuery, name: string) {
  const end = from + 1 + query.length
  const rest = text.slice(end)
  const inserted = `@${name}${/^\s/.test(rest) ? '' : ' '}`
  return { text: text.slice(0, from) + inserted + rest, caret: from + inserted.length }
}

/** Returns the people whom a text mentions. A longer name wins over a shorter one at the same place. */
export function mentionedIn(text: string, people: readonly Mentionable[]): Mentionable[] {
  const names = new Set(
    splitMentions(text, people).flatMap((part) => (part.mention === undefined ? [] : [part.mention])),
  )
  return people.filter(({ name }) => names.has(name))
}

/** A piece of a comment; `mention` is the name when it mentions someone. */
export interface TextPart {
  text: string
  mention?: string
}

/** Splits a comment at its mentions. */
export function splitMentions(text: string, people: readonly { name: string }[]): TextPart[] {
  const names = people.map(({ name }) => name).toSorted((a, b) => b.length - a.length)
  if (names.length === 0) return [{ text }]
  const pattern = anyOf(names, { before: '(?<![\\p{L}\\p{N}._%+-])@', after: '(?![\\p{L}\\p{N}_])' })
  const parts: TextPart[] = []
  let end = 0
  for (const found of text.matchAll(pattern)) {
    const mention = names.find((name) => name.toLowerCase() === found[1]?.toLowerCase())
    if (mention === undefined) continue
    if (found.index > end) parts.push({ text: text.slice(end, found.index) })
    parts.push({ text: found[0], mention })
    end = found.index + found[0].length
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end) })
  return parts
}
