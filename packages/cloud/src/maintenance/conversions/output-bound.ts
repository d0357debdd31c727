import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, every } from '@plantroom/base/clock'
import { freeBytes, RESERVE_BYTES, tooManyPackageBytes } from '../../platform/files/index.ts'
import { JobFailure } from '../../platform/jobs/index.ts'

/** A conversion may write this much, and so many times what it read: text of a spreadsheet unpacks to ten times its size. */
const ALWAYS_BYTES = 100_000_000
const MOST_TIMES = 20
const LOOK_MS = 250

/** Bounds what a conversion writes beside its files. Aborts `signal` with the failure that says so. */
export interface OutputBound extends AsyncDisposable {
  readonly signal: AbortSignal
  /** Looks now. Throws the failure. */
  check(): Promise<void>
}

interface BoundDeps {
  clock: Clock
  /** What an organization may store as uploaded packages. */
  maxPackageBytes: number
  free?: (folder: string) => Promise<number>
}

/** Starts to watch a folder that has only the files to convert. */
export async function boundOutput(
  folder: string,
  stopping: AbortSignal,
  { clock, maxPackageBytes, free = freeBytes }: BoundDeps,
): Promise<OutputBound> {
  const inputBytes = await bytesIn(folder)
  const mostBytes = Math.min(ALWAYS_BYTES + MOST_TIMES * inputBytes, maxPackageBytes)
  const exceeded = new AbortController()

  async function look(): Promise<void> {
    const message =
      (await bytesIn(folder)) - inputBytes > mostBytes
        ? mostBytes === maxPackageBytes
          ? tooManyPackageBytes(maxPackageBytes)
          : tooMuch(mostBytes)
        : (await free(folder)) < RESERVE_BYTES
          ? NO_ROOM
          : undefined
    if (message !== undefined) exceeded.abort(new JobFailure(message, { final: true }))
  }
  let looking = Promise.resolve()
  const stop = every(clock, LOOK_MS, () => {
    // A folder that cannot be read will fail the conversion itself.
    looking = looking.then(look).catch(() => {})
  })
  return {
    signal: AbortSignal.any([stopping, exceeded.signal]),
    async check() {
      await look()
      exceeded.signal.throwIfAborted()
    },
    async [Symbol.asyncDispose]() {
      stop()
      await looking
    },
  }
}

const tooMuch = (bytes: number) =>
  `The conversion was ended: it wrote more than ${Math.round(bytes / 1e6)} MB, far more than the export has. Check that the export is complete and not damaged, or convert it in parts.`
const NO_ROOM =
  'The conversion was ended: the disk of the service is nearly full. Contact the operator, then start the conversion again.'

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder)) {
    // A file that was renamed in the meantime counts at the next look.
    bytes += await stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes
}
