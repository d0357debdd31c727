import { randomFillSync } from 'node:crypto'

const SHARDS = 256
const WORDS = 3
const FIRST_SLOTS = 16
const FULLEST = 0.8

type Table = Uint32Array<ArrayBuffer>

/** A set of ids. */
export interface KnownIds {
  /** Returns false if the id was added before. */
  add(id: string): boolean
}

/**
 * Creates a compact set of ids. A manifest may contain two million ids, which take 200 MB in a Set. This one keeps 96
 * bits of a keyed hash per id, in 15 to 30 bytes. Among two million ids the chance of a false match is below 1 in
 * 10^16. Each manifest gets a new random key, so nobody can prepare a collision.
 */
export function createKnownIds(): KnownIds {
  const keys = randomFillSync(new Uint32Array(4))
  const hash = new Uint32Array(4)
  // Many small tables that grow independently: growing one large table would briefly need twice its memory.
  const shards = Array.from({ length: SHARDS }, () => new Uint32Array(FIRST_SLOTS * WORDS))
  const counts = new Uint32Array(SHARDS)

  return {
    add(id) {
      halfSipHash(id, keys, hash, 0)
      halfSipHash(id, keys, hash, 2)
      // An empty slot starts with 0.
      hash[0] ||= 1
      const shard = (hash[3] as number) % SHARDS
      const table = shards[shard] as Table
      if (!insert(table, hash, 0)) return false
      const count = (counts[shard] as number) + 1
      counts[shard] = count
      if (count * WORDS > table.length * FULLEST) shards[shard] = grown(table)
      return true
    },
  }
}

/**
 * Inserts the words of `from` at `start` into a table with a power-of-two number of slots. Returns false if present.
 */
function insert(table: Uint32Array, from: Uint32Array, start: number): boolean {
  const first = from[start] as number
  const second = from[start + 1] as number
  const third = from[start + 2] as number
  const lastSlot = table.length / WORDS - 1
  for (let slot = first & lastSlot; ; slot = (slot + 1) & lastSlot) {
    const at = slot * WORDS
    if (table[at] === 0) {
      table[at] = first
      table[at + 1] = second
      table[at + 2] = third
      return true
    }
    if (table[at] === first && table[at + 1] === second && table[at + 2] === third) return false
  }
}

function grown(table: Table): Table {
  const larger = new Uint32Array(table.length * 2)
  for (let at = 0; at < table.length; at += WORDS) {
    if (table[at] !== 0) insert(larger, table, at)
  }
  // Free the memory now: the garbage collector underestimates large buffers until there are many.
  table.buffer.transfer(0)
  return larger
}

// The working state of the hash, at module level: in a closure every step would allocate heap numbers.
const state = new Int32Array(4)

/**
 * Computes HalfSipHash-2-4 of a text's UTF-16 units and their number, using two words of `keys` from `at`. Writes 64
 * bits to the same two words of `to`. node:crypto is three times slower for texts this short.
 */
function halfSipHash(text: string, keys: Uint32Array, to: Uint32Array, at: number): void {
  const k0 = keys[at] as number
  const k1 = keys[at + 1] as number
  state[0] = k0
  state[1] = k1 ^ 0xee
  state[2] = k0 ^ 0x6c796765
  state[3] = k1 ^ 0x74656462
  const pairs = text.length & ~1
  for (let unit = 0; unit < pairs; unit += 2) take(text.charCodeAt(unit) | (text.charCodeAt(unit + 1) << 16))
  if (pairs < text.length) take(text.charCodeAt(pairs))
  take(text.length)
  to[at] = drawn(2, 0xee)
  to[at + 1] = drawn(1, 0xdd)
}

function take(word: number): void {
  state[3] = (state[3] as number) ^ word
  mix(2)
  state[0] = (state[0] as number) ^ word
}

function drawn(part: number, mark: number): number {
  state[part] = (state[part] as number) ^ mark
  mix(4)
  return (state[1] as number) ^ (state[3] as number)
}

function mix(rounds: number): void {
  let v0 = state[0] as number
  let v1 = state[1] as number
  let v2 = state[2] as number
  let v3 = state[3] as number
  for (let round = 0; round < rounds; round += 1) {
    v0 = (v0 + v1) | 0
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
    v0 = (v0 << 16) | (v0 >>> 16)
    v2 = (v2 + v3) | 0
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
    v0 = (v0 + v3) | 0
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
    v2 = (v2 + v1) | 0
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
    v2 = (v2 << 16) | (v2 >>> 16)
  }
  state[0] = v0
  state[1] = v1
  state[2] = v2
  state[3] = v3
}
