import { createManifestScanner, type OpenPackage, readEntries } from '@plantroom/fpl/read-package'
import type { ManifestTicket, PlacedTicket } from './manifest-ticket.ts'

/** Enough that a transaction for each does not show, few enough to be lost when a worker dies. */
const BATCH_TICKETS = 1000
const BATCH_BYTES = 4e6
const SLICE = 65_536

/**
 * Hands the requests of a package that has been checked to `take`, in order and in batches. Nothing more is read before
 * `take` has settled: however large the manifest is, one batch of it is in memory.
 */
export async function readTickets(
  { source, manifest }: OpenPackage,
  take: (tickets: readonly PlacedTicket[]) => Promise<void>,
  { signal, cutTextsOver }: { signal?: AbortSignal /** See the scanner. */; cutTextsOver?: number } = {},
): Promise<void> {
  let batch: PlacedTicket[] = []
  let bytesSince = 0
  const scanner = createManifestScanner(
    {
      ticket: (index, value) => batch.push({ index, ticket: value as ManifestTicket }),
      field() {},
      root() {},
    },
    cutTextsOver === undefined ? {} : { cutTextsOver },
  )

  async function hand(count: number): Promise<void> {
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
        while (batch.length >= BATCH_TICKETS) await hand(BATCH_TICKETS)
        if (bytesSince >= BATCH_BYTES && batch.length > 0) await hand(batch.length)
      }
      if (isLast) scanner.end()
    },
    signal,
  )
  if (batch.length > 0) await hand(batch.length)
}
