import { STATE } from './grammar.ts'

const EXPECTED: Readonly<Record<number, string>> = {
  [STATE.start]: 'a value',
  [STATE.mark2]: 'a byte-order mark',
  [STATE.mark3]: 'a byte-order mark',
  [STATE.value]: 'a value',
  [STATE.valueOrClose]: 'a value or `]`',
  [STATE.name]: 'a name in quotes',
  [STATE.nameOrClose]: 'a name in quotes or `}`',
  [STATE.colon]: 'a colon',
  [STATE.done]: 'nothing more',
  [STATE.escape]: 'a valid JSON escape',
  [STATE.hex1]: 'four hexadecimal digits',
  [STATE.hex2]: 'four hexadecimal digits',
  [STATE.hex3]: 'four hexadecimal digits',
  [STATE.hex4]: 'four hexadecimal digits',
  [STATE.rest1]: 'valid UTF-8',
  [STATE.rest2]: 'valid UTF-8',
  [STATE.rest2AfterE0]: 'valid UTF-8',
  [STATE.rest2AfterEd]: 'valid UTF-8',
  [STATE.rest3]: 'valid UTF-8',
  [STATE.rest3AfterF0]: 'valid UTF-8',
  [STATE.rest3AfterF4]: 'valid UTF-8',
  [STATE.minus]: 'a digit',
  [STATE.point]: 'a digit',
  [STATE.exponent]: 'a digit',
  [STATE.exponentSign]: 'a digit',
  [STATE.t]: '`true`',
  [STATE.tr]: '`true`',
  [STATE.tru]: '`true`',
  [STATE.f]: '`false`',
  [STATE.fa]: '`false`',
  [STATE.fal]: '`false`',
  [STATE.fals]: '`false`',
  [STATE.n]: '`null`',
  [STATE.nu]: '`null`',
  [STATE.nul]: '`null`',
}

/** The innermost open container. */
export type Container = 'object' | 'array' | 'none'

/** Returns a message like ``expected a colon, found `}` ``. `byte` is undefined at the end of the input. */
export function unexpected(state: number, byte: number | undefined, container: Container): string {
  if (isUtf16(state, byte)) return 'expected UTF-8, found UTF-16 (save the file as UTF-8)'
  return `expected ${expected(state, byte, container)}, found ${found(byte)}`
}

/** Returns true for the first byte that cannot be UTF-8 in a file of UTF-16, with a byte-order mark or without. */
function isUtf16(state: number, byte: number | undefined): boolean {
  if (state === STATE.start) return byte === 0xff || byte === 0xfe || byte === 0
  return state === STATE.nameOrClose && byte === 0
}

function expected(state: number, byte: number | undefined, container: Container): string {
  if (state === STATE.text) {
    if (byte === undefined) return 'a closing quote'
    return byte < 0x20 ? 'an escape for a control character' : 'valid UTF-8'
  }
  // The remaining states follow a complete value, where a comma or a closing bracket is due.
  return EXPECTED[state] ?? { object: 'a comma or `}`', array: 'a comma or `]`', none: 'nothing more' }[container]
}

function found(byte: number | undefined): string {
  if (byte === undefined) return 'the end of the file'
  if (byte > 0x20 && byte < 0x7f) return `\`${String.fromCharCode(byte)}\``
  return `the byte 0x${byte.toString(16).padStart(2, '0')}`
}
