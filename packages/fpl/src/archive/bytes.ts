export function uint16(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
}

export function uint32(bytes: Uint8Array, at: number): number {
  return (uint16(bytes, at) | (uint16(bytes, at + 2) << 16)) >>> 0
}

/** Not exact above 2^53, yet still larger than any file: a comparison with what is really there fails as it should. */
export function uint64(bytes: Uint8Array, at: number): number {
  return uint32(bytes, at) + uint32(bytes, at + 4) * 2 ** 32
}
