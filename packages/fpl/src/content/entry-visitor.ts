import type { Entry } from '../archive/archive.ts'

/**
 * Takes the content of an entry: a small one whole, a large one in chunks, an empty one as no bytes. `bytes` are valid until the
 * call has returned, or until the promise that it returned is settled; nothing else is read before that. `isLast` is only true once the
 * size, the checksum and the end of the data have been found right: what came before it was not vouched for yet.
 */
export type EntryVisitor = (entry: Entry, bytes: Uint8Array, isLast: boolean) => void | Promise<void>
