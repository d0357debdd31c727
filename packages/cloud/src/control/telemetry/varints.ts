/** Writes whole numbers of either sign in as few bytes as each needs: 7 bits a byte, the lowest first. */
export function writeVarints() {
  const bytes: number[] = []
  return {
    /** Up to 2^52 in either direction. */
    add(value: number): void {
      if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number that can be written`)
      // Small numbers of either sign become small.
      let rest = value < 0 ? -2 * value - 1 : 2 * value
      while (rest >= 128) {
        bytes.push((rest % 128) + 128)
        rest = Math.floor(rest / 128)
      }
      bytes.push(rest)
    },
    bytes,
  }
}

/** Reads them again, one after another. */
export function readVarints(bytes: Uint8Array, start = 0) {
  let offset = start
  return {
    next(): number {
      let [value, unit] = [0, 1]
      for (;;) {
        const byte = bytes[offset++] ?? 0
        value += (byte % 128) * unit
        if (byte < 128) break
        unit *= 128
      }
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    },
    /** The next eight bytes as they are. */
    nextDouble(): number {
      offset += 8
      return new DataView(bytes.buffer, bytes.byteOffset + offset - 8, 8).getFloat64(0, true)
    },
  }
}
