export function uint16(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
}

export function uint32(bytes: Uint8Array, at: number): number {
  return (uint16(bytes, at) | (uint16(bytes, at + 2) << 16)) >>> 0
}

/** Inexact above 2^53, but still larger than any file, so the comparison with the real size fails as it should. */
export function uint64(bytes: Uint8Array, at: number): number {
  return uint32(bytes, at) + uint32(bytes, at + 4) * 2 ** 32
}
