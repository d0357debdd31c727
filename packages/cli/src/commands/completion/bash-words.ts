import type { Completed } from './complete.ts'

/** Bash splits words here, too, and replaces only what comes after the last of them. */
const BREAKS = /[:=@]/
const SAFE = /^[\p{L}\p{N}_./,+%:=@-]+$/u

interface Line {
  /** The words as a program would get them; the last one is the one to complete. */
  words: string[]
  /** The last word as it was typed. */
  typed: string
  /** The quote that is open at the end. */
  quote: string
}

/** Splits a line as a shell does, as far as names of commands, options and values need it. */
export function splitLine(line: string): Line {
  const words: string[] = []
  let word = ''
  let typed = ''
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? ''
    if (quote === '' && /\s/.test(character)) {
      if (typed !== '') words.push(word)
      word = ''
      typed = ''
      continue
    }
    typed += character
    if (character === quote) quote = ''
    else if (quote === '' && (character === "'" || character === '"')) quote = character
    else if (character === '\\' && quote !== "'") {
      at += 1
      word += line[at] ?? ''
      typed += line[at] ?? ''
    } else word += character
  }
  return { words: [...words, word], typed, quote }
}

/** Returns what Bash puts in place of the part of the word that it replaces. */
export function bashReplies({ candidates, files }: Completed, { typed, quote }: Line): string[] {
  const values = candidates.map(({ value }) => (quote === '' ? quoted(value) : value))
  const kept = quote === '' ? lastBreak(typed) : 0
  return [...values.map((value) => value.slice(kept)), ...(files ? [':file'] : [])]
}

function lastBreak(typed: string): number {
  for (let at = typed.length - 1; at >= 0; at -= 1) if (BREAKS.test(typed[at] ?? '')) return at + 1
  return 0
}

function quoted(value: string): string {
  if (SAFE.test(value)) return value
  return value.replaceAll(/[^\p{L}\p{N}_./,+%:=@-]/gu, (character) => `\\${character}`)
}
