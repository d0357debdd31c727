import { anyOf } from '@plantroom/contract/expressions'
import { fold } from './words.ts'

const BEFORE = 50
const LENGTH = 160

/** Cuts the part of a text around the first word that was found, and marks all of them in it. Words are folded. */
export function snippet(text: string, words: readonly string[]): { text: string; found: boolean }[] {
  if (words.length === 0) return mark(text.slice(0, LENGTH), undefined)
  const pattern = anyOf(words, { before: '(?<![\\p{L}\\p{N}])' })
  const first = fold(text).search(pattern)
  const start = first > BEFORE ? text.indexOf(' ', first - BEFORE) + 1 : 0
  const end = text.length > start + LENGTH ? text.lastIndexOf(' ', start + LENGTH) : text.length
  const cut = text.slice(start, end > start ? end : start + LENGTH)
  return mark(`${start > 0 ? '… ' : ''}${cut}${end < text.length ? ' …' : ''}`, pattern)
}

function mark(text: string, pattern: RegExp | undefined): { text: string; found: boolean }[] {
  const parts: { text: string; found: boolean }[] = []
  let from = 0
  for (const match of pattern ? fold(text).matchAll(pattern) : []) {
    const to = match.index + match[0].length
    if (match.index > from) parts.push({ text: text.slice(from, match.index), found: false })
    parts.push({ text: text.slice(match.index, to), found: true })
    from = to
  }
  if (from < text.length) parts.push({ text: text.slice(from), found: false })
  return parts
}
