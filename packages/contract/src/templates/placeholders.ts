/** What an answer is called. */
export const KEY = '[A-Za-z][A-Za-z0-9]{0,63}'
/** A number made of one answer: `${ratedPowerKw}` or `-0.5 * ${ratedPowerKw}`. There is no other arithmetic. */
export const NUMBER_PLACEHOLDER = `^(?:(-?[0-9]{1,9}(?:\\.[0-9]{1,12})?) \\* )?\\$\\{(${KEY})\\}$`

const WHOLE = /^(?:(-?[0-9]{1,9}(?:\.[0-9]{1,12})?) \* )?\$\{([A-Za-z][A-Za-z0-9]{0,63})\}$/
const EACH = /\$\{([A-Za-z][A-Za-z0-9]{0,63})\}/g

export type Answer = string | number

/** Returns the keys of all placeholders in a value, in order. */
export function keysIn(value: unknown): string[] {
  if (typeof value === 'string') return Array.from(value.matchAll(EACH), ([, key]) => String(key))
  if (typeof value !== 'object' || value === null) return []
  return [...new Set(Object.values(value).flatMap(keysIn))]
}

/** Returns the keys of placeholders that are multiplied, so that their answers must be numbers. */
export function factorKeysIn(value: unknown): string[] {
  if (typeof value === 'string') {
    const [, factor, key] = WHOLE.exec(value) ?? []
    return factor !== undefined && key !== undefined ? [key] : []
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(factorKeysIn) : []
}

/**
 * Puts answers in place of placeholders, in every text of a value. A text that is only a placeholder becomes the answer
 * with its type. A field whose placeholder has no answer is left out.
 */
export function withAnswers(value: unknown, answers: ReadonlyMap<string, Answer>): unknown {
  if (typeof value === 'string') return inText(value, answers)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withAnswers(item, answers))
  const fields = Object.entries(value).map(([name, item]) => [name, withAnswers(item, answers)] as const)
  return Object.fromEntries(fields.filter(([, item]) => item !== undefined))
}

function inText(value: string, answers: ReadonlyMap<string, Answer>): Answer | undefined {
  const [, factor, only] = WHOLE.exec(value) ?? []
  if (only !== undefined && (factor === undefined || typeof answers.get(only) === 'number')) {
    const given = answers.get(only)
    return factor === undefined ? given : product(Number(factor), Number(given))
  }
  const keys = keysIn(value)
  if (keys.some((key) => !answers.has(key))) return undefined
  return value.replace(EACH, (_, key: string) => String(answers.get(key)))
}

/** Without the noise of binary fractions: 0.1 * 3 is 0.3. */
export const product = (a: number, b: number) => Number((a * b).toPrecision(15))
