/** Returns the offsets of an archive's records: mutations there find more than those in file content. */
function recordsOf(archive: Buffer): readonly number[] {
  const starts: number[] = []
  for (let at = archive.indexOf('PK'); at >= 0; at = archive.indexOf('PK', at + 1)) starts.push(at)
  return starts
}

type Random = (limit: number) => number
type Mutation = (archive: Buffer, at: number, random: Random) => Buffer

const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]

const cut = (archive: Buffer, from: number, to: number, between: Uint8Array = Buffer.alloc(0)) =>
  Buffer.concat([archive.subarray(0, from), between, archive.subarray(to)])
function changed(archive: Buffer, at: number, write: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(archive)
  if (at + 4 <= copy.length) write(copy)
  return copy
}

const MUTATIONS: readonly Mutation[] = [
  (archive, at, random) =>
    changed(archive, at, (copy) => {
      copy[at] = (copy[at] ?? 0) ^ (1 << random(8))
    }),
  (archive, at, random) =>
    changed(archive, at, (copy) => {
      copy[at] = random(256)
    }),
  (archive, at, random) => changed(archive, at, (copy) => copy.writeUInt16LE((EDGES[random(6)] ?? 0) & 0xffff, at)),
  (archive, at, random) => changed(archive, at, (copy) => copy.writeUInt32LE(EDGES[random(EDGES.length)] ?? 0, at)),
  // Off by one: counts, lengths and offsets that miss narrowly.
  (archive, at, random) =>
    changed(archive, at, (copy) => copy.writeUInt32LE((copy.readUInt32LE(at) + (random(2) ? 1 : -1)) >>> 0, at)),
  (archive, at, random) => cut(archive, at, at + 1 + random(40)),
  (archive, at, random) => cut(archive, at, at, Buffer.alloc(1 + random(40), random(256))),
  (archive, at, random) => cut(archive, at, at, archive.subarray(at, at + 1 + random(200))),
  (archive, at) => archive.subarray(0, at),
  // Copies a piece of the archive to another position.
  (archive, at, random) => {
    const from = random(archive.length)
    const piece = archive.subarray(from, from + 1 + random(60))
    return cut(archive, at, at + piece.length, piece)
  },
]

/** Returns the archive with one to three mutations, most of them in its records. `random` selects them. */
export function mutated(archive: Buffer, random: Random): Buffer {
  let result = archive
  for (let times = 1 + random(3); times > 0; times -= 1) {
    const starts = recordsOf(result)
    const start = starts[random(starts.length)]
    const at = start === undefined || random(5) === 0 ? random(result.length + 1) : start + random(60)
    result = MUTATIONS[random(MUTATIONS.length)]?.(result, Math.min(at, result.length), random) ?? result
  }
  return result
}
