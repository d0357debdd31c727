/** States of the JSON reader (RFC 8259) between two bytes. `refused` is 0, the initial content of the table. */
export const STATE = {
  refused: 0,
  start: 1,
  mark2: 2,
  mark3: 3,
  value: 4,
  valueOrClose: 5,
  name: 6,
  nameOrClose: 7,
  colon: 8,
  after: 9,
  done: 10,
  text: 11,
  escape: 12,
  hex1: 13,
  hex2: 14,
  hex3: 15,
  hex4: 16,
  rest1: 17,
  rest2: 18,
  rest2AfterE0: 19,
  rest2AfterEd: 20,
  rest3: 21,
  rest3AfterF0: 22,
  rest3AfterF4: 23,
  minus: 24,
  zero: 25,
  digits: 26,
  point: 27,
  fraction: 28,
  exponent: 29,
  exponentSign: 30,
  exponentDigits: 31,
  t: 32,
  tr: 33,
  tru: 34,
  f: 35,
  fa: 36,
  fal: 37,
  fals: 38,
  n: 39,
  nu: 40,
  nul: 41,
} as const

/** Actions that need more than a new state. They are numbered after the states, so one comparison separates the two. */
export const STEP = {
  newLine: 64,
  openObject: 65,
  openArray: 66,
  closeObject: 67,
  closeArray: 68,
  comma: 69,
  beginName: 70,
  beginText: 71,
  /** A number or a literal: `SCALAR` has its first state. */
  beginScalar: 72,
  endText: 73,
  endWord: 74,
  /** The number ended one byte ago: this byte is read again as the one that follows a value. */
  endNumber: 75,
  endMark: 76,
} as const

export const FIRST_STEP = STEP.newLine

/** The next state or step, indexed by `state << 8 | byte`. */
export const TABLE = new Uint8Array(64 << 8)

/** The state after the first byte of a number or a literal. */
export const SCALAR = new Uint8Array(256)

/** 1 for ASCII bytes that a text contains literally: neither escapes nor the closing quote. */
export const PLAIN = new Uint8Array(256)

/** The number of bytes still missing from a character. */
export const LACKING = new Uint8Array(64)

const S = STATE
const code = (character: string) => character.charCodeAt(0)

function on(states: readonly number[], bytes: string | readonly [number, number], next: number) {
  const [from, to] = typeof bytes === 'string' ? [0, -1] : bytes
  for (const state of states) {
    for (let byte = from; byte <= to; byte++) TABLE[(state << 8) | byte] = next
    if (typeof bytes === 'string') for (const each of bytes) TABLE[(state << 8) | code(each)] = next
  }
}

const BEFORE_VALUE = [S.start, S.value, S.valueOrClose]
const BETWEEN_TOKENS = [...BEFORE_VALUE, S.name, S.nameOrClose, S.colon, S.after, S.done]
const WHOLE_NUMBER = [S.zero, S.digits, S.fraction, S.exponentDigits]

for (const state of BETWEEN_TOKENS) {
  const here = state === S.start ? S.value : state
  on([state], ' \t\r', here)
  on([state], '\n', STEP.newLine)
}
on([S.start], [0xef, 0xef], S.mark2)
on([S.mark2], [0xbb, 0xbb], S.mark3)
on([S.mark3], [0xbf, 0xbf], STEP.endMark)

on(BEFORE_VALUE, '{', STEP.openObject)
on(BEFORE_VALUE, '[', STEP.openArray)
on(BEFORE_VALUE, '"', STEP.beginText)
on(BEFORE_VALUE, '-0123456789tfn', STEP.beginScalar)
on([S.valueOrClose], ']', STEP.closeArray)
on([S.name, S.nameOrClose], '"', STEP.beginName)
on([S.nameOrClose], '}', STEP.closeObject)
on([S.colon], ':', S.value)
on([S.after], ',', STEP.comma)
on([S.after], ']', STEP.closeArray)
on([S.after], '}', STEP.closeObject)

on([S.text], [0x20, 0x7f], S.text)
on([S.text], '"', STEP.endText)
on([S.text], '\\', S.escape)
on([S.escape], '"\\/bfnrt', S.text)
on([S.escape], 'u', S.hex1)
for (const [state, next] of [
  [S.hex1, S.hex2],
  [S.hex2, S.hex3],
  [S.hex3, S.hex4],
  [S.hex4, S.text],
] as const) {
  on([state], '0123456789abcdefABCDEF', next)
}

// Table 3-7 of the Unicode standard: no overlong form, no surrogate, nothing past U+10FFFF.
on([S.text], [0xc2, 0xdf], S.rest1)
on([S.text], [0xe0, 0xef], S.rest2)
on([S.text], [0xe0, 0xe0], S.rest2AfterE0)
on([S.text], [0xed, 0xed], S.rest2AfterEd)
on([S.text], [0xf0, 0xf0], S.rest3AfterF0)
on([S.text], [0xf1, 0xf3], S.rest3)
on([S.text], [0xf4, 0xf4], S.rest3AfterF4)
on([S.rest1], [0x80, 0xbf], S.text)
on([S.rest2], [0x80, 0xbf], S.rest1)
on([S.rest2AfterE0], [0xa0, 0xbf], S.rest1)
on([S.rest2AfterEd], [0x80, 0x9f], S.rest1)
on([S.rest3], [0x80, 0xbf], S.rest2)
on([S.rest3AfterF0], [0x90, 0xbf], S.rest2)
on([S.rest3AfterF4], [0x80, 0x8f], S.rest2)

on([S.minus], '0', S.zero)
on([S.minus], '123456789', S.digits)
on([S.digits], '0123456789', S.digits)
on([S.zero, S.digits], '.', S.point)
on([S.point, S.fraction], '0123456789', S.fraction)
on([S.zero, S.digits, S.fraction], 'eE', S.exponent)
on([S.exponent], '+-', S.exponentSign)
on([S.exponent, S.exponentSign, S.exponentDigits], '0123456789', S.exponentDigits)
on(WHOLE_NUMBER, ' \t\r\n,]}', STEP.endNumber)

on([S.t], 'r', S.tr)
on([S.tr], 'u', S.tru)
on([S.f], 'a', S.fa)
on([S.fa], 'l', S.fal)
on([S.fal], 's', S.fals)
on([S.n], 'u', S.nu)
on([S.nu], 'l', S.nul)
on([S.tru, S.fals], 'e', STEP.endWord)
on([S.nul], 'l', STEP.endWord)

for (const each of '123456789') SCALAR[code(each)] = S.digits
for (const [first, state] of [
  ['-', S.minus],
  ['0', S.zero],
  ['t', S.t],
  ['f', S.f],
  ['n', S.n],
] as const) {
  SCALAR[code(first)] = state
}

for (let byte = 0x20; byte < 0x80; byte++) PLAIN[byte] = TABLE[(S.text << 8) | byte] === S.text ? 1 : 0

LACKING.fill(1, S.rest1, S.rest1 + 1)
LACKING.fill(2, S.rest2, S.rest2AfterEd + 1)
LACKING.fill(3, S.rest3, S.rest3AfterF4 + 1)

/** True if a number may end in this state. */
export function endsNumber(state: number): boolean {
  return WHOLE_NUMBER.includes(state as (typeof WHOLE_NUMBER)[number])
}
