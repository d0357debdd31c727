import { partCount, partRange } from '@plantroom/contract/uploads'
import type { PackageKey } from './keys.ts'

/** An upload in parts. */
export interface PartUpload {
  key: PackageKey
  /** The store's own name for it. */
  storeId: string
  /** Of the whole package. */
  size: number
}

/** Takes packages in parts, in any order. Nothing is visible under the name before `finish`. */
export interface PartStore {
  /** Prepares an upload and returns its `storeId`. Throws `full` when the store has no room for it. */
  begin(key: PackageKey, size: number): Promise<string>
  /** Returns an address to which anyone can PUT this part until it expires. Nothing else can be done with it. */
  url(upload: PartUpload, part: { number: number; sha256: string }, options: { expiresInS: number }): Promise<string>
  /** Returns the numbers of the parts that are stored with the right size and survive a power cut. */
  stored(upload: PartUpload): Promise<ReadonlySet<number>>
  /**
   * Makes the package visible, replacing an earlier one; all parts must be stored. Can be repeated. Rejects with
   * `notFound` when the upload is gone.
   */
  finish(upload: PartUpload & { startedAt: Date }, sums: readonly string[]): Promise<void>
  /** Removes an upload if it exists. */
  abort(upload: Pick<PartUpload, 'key' | 'storeId'>): Promise<void>
  /** Lists the uploads that were begun before a time, also those that nobody knows of any more. */
  list(before: Date): AsyncIterable<Pick<PartUpload, 'key' | 'storeId'>>
}

export function allNumbers(size: number): number[] {
  return Array.from({ length: partCount(size) }, (_, index) => index + 1)
}

/** The bytes in these parts. */
export function bytesIn(size: number, numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += partRange(size, number).size
  return total
}
