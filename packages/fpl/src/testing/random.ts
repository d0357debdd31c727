/** Creates a reproducible sequence of random numbers from a seed: 0 up to, but excluding, `limit`. */
export function createRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0
  // mulberry32
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * limit)
  }
}

/** Incompressible bytes. */
export function randomBytesOf(length: number, seed: number): Buffer {
  const random = createRandom(seed)
  return Buffer.from(Uint8Array.from({ length }, () => random(256)))
}
