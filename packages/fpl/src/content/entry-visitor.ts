import type { Entry } from '../archive/archive.ts'

/**
 * Receives the content of an entry: a small one as a whole, a large one in chunks, an empty one as zero bytes. `bytes`
 * are valid until the call returns or its promise settles; reading waits for that. `isLast` is true only after the
 * size, checksum and end of data were verified: earlier chunks are unverified.
 */
export type EntryVisitor = (entry: Entry, bytes: Uint8Array, isLast: boolean) => void | Promise<void>
