import type { ManifestTicket } from './manifest/manifest.ts'
import { createManifestScanner, type OpenPackage, readEntries } from './read-package.ts'

/** A request of a manifest that the checker has accepted. `number` is informational and never used. */
export type ManifestRequest = ManifestTicket

/** A request and its index in the package. */
export interface PlacedRequest {
  readonly index: number
  readonly request: ManifestRequest
}

// Large enough to make the cost of a transaction negligible, small enough to lose when a worker dies.
const BATCH_REQUESTS = 1000
const BATCH_BYTES = 4e6
const SLICE = 65_536

/**
 * Passes the requests of a checked package to `take`, in order and in batches. Waits for each `take`, so that only one batch
 * of the manifest is in memory.
 */
export async function readRequests(
  { source, manifest }: OpenPackage,
  take: (requests: readonly PlacedRequest[]) => Promise<void>,
  {
    signal,
    cutTextsOver,
    batchRequests = BATCH_REQUESTS,
  }: { signal?: AbortSignal; cutTextsOver?: number; batchRequests?: number | undefined } = {},
): Promise<void> {
  let batch: PlacedRequest[] = []
  let bytesSince = 0
  const scanner = createManifestScanner(
    {
      ticket: (index, value) => batch.push({ index, request: value as ManifestRequest }),
      field() {},
      root() {},
    },
    cutTextsOver === undefined ? {} : { cutTextsOver },
  )

  async function passOn(count: number): Promise<void> {
    const full = batch.slice(0, count)
    batch = batch.slice(count)
    bytesSince = 0
    signal?.throwIfAborted()
    await take(full)
  }

  await readEntries(
    source,
    [manifest],
    async (_entry, bytes, isLast) => {
      for (let from = 0; from < bytes.length; from += SLICE) {
        const slice = bytes.subarray(from, from + SLICE)
        scanner.push(slice)
        bytesSince += slice.length
        while (batch.length >= batchRequests) await passOn(batchRequests)
        if (bytesSince >= BATCH_BYTES && batch.length > 0) await passOn(batch.length)
      }
      if (isLast) scanner.end()
    },
    signal,
  )
  if (batch.length > 0) await passOn(batch.length)
}
