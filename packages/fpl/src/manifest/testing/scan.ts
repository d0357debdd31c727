import { PackageRefused } from '../../refusal.ts'
import { createManifestScanner, type ScannerOptions } from '../scanner.ts'

export type Call = ['field', string, unknown] | ['ticket', number, unknown] | ['ticketsEnd', number] | ['root', unknown]

export interface Scanned {
  calls: Call[]
  /** The error and its position. */
  refusal: string | undefined
}

/** Returns what a scanner reports for these chunks. */
export function scanChunks(chunks: Iterable<Uint8Array>, options?: ScannerOptions): Scanned {
  const calls: Call[] = []
  const scanner = createManifestScanner(
    {
      field: (name, value) => calls.push(['field', name, value]),
      ticket: (index, value) => calls.push(['ticket', index, value]),
      ticketsEnd: (count) => calls.push(['ticketsEnd', count]),
      root: (value) => calls.push(['root', value]),
    },
    options,
  )
  try {
    for (const chunk of chunks) scanner.push(chunk)
    scanner.end()
    return { calls, refusal: undefined }
  } catch (error) {
    if (!(error instanceof PackageRefused)) throw error
    return { calls, refusal: error.detail ?? error.message }
  }
}

export function scanText(text: string | Uint8Array, options?: ScannerOptions): Scanned {
  return scanChunks([Buffer.from(text as string)], options)
}

/**
 * Yields `bytes` in pieces of these sizes, repeated. The memory of a piece is overwritten when the next is requested.
 */
export function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number
    const chunk = Uint8Array.from(bytes.subarray(from, from + size))
    yield chunk
    chunk.fill(0xff)
    from += size
  }
}
