/** Returns the SHA-256 of bytes in hexadecimal digits, in browsers and in Node. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Browsers offer it on secure pages only, and a console in a building may be opened over plain HTTP.
  const subtle = globalThis.crypto?.subtle as typeof globalThis.crypto.subtle | undefined
  const digest = subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : slowSha256(bytes)
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const BLOCK = 64
/** The first 32 bits of the fractions of the cube roots of the first 64 primes, and of the square roots of the first 8. */
const PRIMES = primes(64)
const ROUNDS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
const INITIAL = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

/** SHA-256 (FIPS 180-4) without the browser's help: several times slower, but fast enough for an upload. */
export function slowSha256(bytes: Uint8Array): Uint8Array {
  const state = INITIAL.slice()
  const words = new Uint32Array(64)
  const whole = bytes.length - (bytes.length % BLOCK)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let at = 0; at < whole; at += BLOCK) addBlock(state, words, view, at)
  const rest = bytes.length - whole
  const last = new Uint8Array(rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK)
  last.set(bytes.subarray(whole))
  last[rest] = 0x80
  const end = new DataView(last.buffer)
  end.setBigUint64(last.length - 8, BigInt(bytes.length) * 8n)
  for (let at = 0; at < last.length; at += BLOCK) addBlock(state, words, end, at)
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word)
  return new Uint8Array(digest.buffer)
}

function addBlock(state: Uint32Array, words: Uint32Array, view: DataView, at: number): void {
  const word = (index: number) => words[index] as number
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(at + index * 4)
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [word(index - 15), word(index - 2)]
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
    words[index] = (word(index - 16) + first + word(index - 7) + second) | 0
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let index = 0; index < 64; index += 1) {
    const first =
      h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (ROUNDS[index] as number) + word(index)
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] as number) + value
}

const turn = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}

function primes(count: number): number[] {
  const found: number[] = []
  for (let number = 2; found.length < count; number += 1)
    if (found.every((prime) => number % prime > 0)) found.push(number)
  return found
}
