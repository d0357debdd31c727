import type { Entry } from '../archive/archive.ts'
import type { ByteSource } from '../archive/byte-source.ts'
import { readEntries } from './read-entries.ts'

/**
 * Yields the content of one entry, each chunk valid until the next is requested. Turns the push of `readEntries` into a pull:
 * its visitor waits until the consumer asks for more.
 */
export async function* entryContent(source: ByteSource, entry: Entry): AsyncGenerator<Uint8Array, void> {
  const stop = new AbortController()
  let offered = Promise.withResolvers<Uint8Array | undefined>()
  let taken = Promise.withResolvers<void>()
  const reading = readEntries(
    source,
    [entry],
    (_entry, bytes) => {
      offered.resolve(bytes)
      return taken.promise
    },
    stop.signal,
  ).then(
    () => offered.resolve(undefined),
    (error) => offered.reject(error),
  )
  try {
    for (let bytes = await offered.promise; bytes !== undefined; bytes = await offered.promise) {
      offered = Promise.withResolvers()
      // A consumer that stops early never asks for this promise.
      offered.promise.catch(() => {})
      if (bytes.length > 0) yield bytes
      const previous = taken
      taken = Promise.withResolvers()
      previous.resolve()
    }
  } finally {
    stop.abort()
    taken.resolve()
    await reading
  }
}
