import type { Texts } from '../translation.ts'

const ACCENTED: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', y: 'ý' }

/** The brackets around every text of the pseudo-language. */
export const PSEUDO_MARKS = ['⟦', '⟧'] as const

/**
 * Translates English into the pseudo-language: accented vowels in brackets, placeholders unchanged. On a page in
 * this language, any text outside brackets bypasses the catalogues.
 */
export function pseudo(english: Texts): Texts {
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => [key, typeof text === 'string' ? marked(text) : pseudo(text)]),
  )
}

function marked(message: string): string {
  const accented = mapLiterals(message, (text) => text.replace(/[aeiouy]/g, (found) => ACCENTED[found] ?? found))
  return `${PSEUDO_MARKS[0]}${accented}${PSEUDO_MARKS[1]}`
}

/** Changes the text of an ICU message, not the names and keywords of its arguments. */
function mapLiterals(message: string, change: (text: string) => string): string {
  const pieces = message.split(/([{}])/)
  // Text and arguments alternate: the text of a plural form is inside of an argument.
  let depth = 0
  return pieces
    .map((piece) => {
      if (piece === '{') depth += 1
      else if (piece === '}') depth -= 1
      else if (depth % 2 === 0) return change(piece)
      return piece
    })
    .join('')
}
