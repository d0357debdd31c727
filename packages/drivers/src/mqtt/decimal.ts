interface Decimal {
  negative: boolean
  whole: string
  fraction: string
  exponent: string
}

/** Longer texts are not parsed: twice the digits of any double fit in this. */
const MAX_LENGTH = 2048
const DECIMAL = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d+))?$/i

function parseDecimal(text: string): Decimal | undefined {
  const [match, sign, whole = '', fraction, bare, exponent = ''] =
    text.length > MAX_LENGTH ? [] : (DECIMAL.exec(text) ?? [])
  if (match === undefined) return undefined
  return { negative: sign === '-', whole: whole.replace(/^0+/, ''), fraction: fraction ?? bare ?? '', exponent }
}

export const isDecimal = (text: string) => parseDecimal(text) !== undefined

/** Returns true if both texts are the same number, digit by digit. A negative zero differs from zero. */
export function isSameDecimal(a: string, b: string): boolean {
  const [first, second] = [canonical(a), canonical(b)]
  return first !== undefined && first === second
}

function canonical(text: string): string | undefined {
  const decimal = parseDecimal(text)
  if (!decimal) return undefined
  const { negative, whole, fraction, exponent } = decimal
  const digits = (whole + fraction).replace(/^0+/, '')
  const sign = negative ? '-' : ''
  if (digits === '') return `${sign}0`
  const significant = withoutZerosAtEnd(digits)
  const shift = Number(exponent || 0) - fraction.length + (digits.length - significant.length)
  return `${sign}${significant}e${shift}`
}

function withoutZerosAtEnd(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** Returns the number in JSON syntax with all its digits; `undefined` if the text is not a number. */
export function toJsonNumber(text: string): string | undefined {
  const decimal = parseDecimal(text)
  if (!decimal) return undefined
  const { negative, whole, fraction, exponent } = decimal
  return `${negative ? '-' : ''}${whole || '0'}${fraction && `.${fraction}`}${exponent && `e${exponent}`}`
}
