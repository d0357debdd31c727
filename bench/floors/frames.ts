const HEADER = 8

/** Length, id, payload. */
export function frame(id: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER + payload.length)
  bytes.writeUInt32BE(payload.length, 0)
  bytes.writeUInt32BE(id, 4)
  payload.copy(bytes, HEADER)
  return bytes
}

export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)
  readonly #take: (id: number, payload: Buffer) => void

  constructor(take: (id: number, payload: Buffer) => void) {
    this.#take = take
  }

  push(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (bytes.length >= HEADER) {
      const end = HEADER + bytes.readUInt32BE(0)
      if (bytes.length < end) break
      this.#take(bytes.readUInt32BE(4), bytes.subarray(HEADER, end))
      bytes = bytes.subarray(end)
    }
    this.#rest = bytes
  }
}
