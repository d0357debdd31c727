export interface ByteRange {
  /** The first byte. */
  from: number
  /** The last byte, which is part of it. */
  to: number
}

/**
 * What a `Range` header asks of a file of `size` bytes: one range, `whole` where it says nothing that we serve (several
 * ranges, another unit, nonsense), `none` where it lies beyond the end.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'whole' | 'none' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { from: size - length, to: size - 1 }
  }
  const from = Number(first)
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < from) return 'whole'
  return from >= size ? 'none' : { from, to }
}
