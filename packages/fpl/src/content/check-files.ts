import { Worker } from 'node:worker_threads'
import type { Entry } from '../archive/archive.ts'
import { openFileSource } from '../archive/byte-source.ts'
import { archiveRefused } from '../refusal.ts'
import { readEntries } from './read-entries.ts'
import { inOrderOfOffset } from './runs.ts'
import { checkPieces, costOf, type Piece, piecesOf, type SharedWork, shareWork, takeNoMore } from './shared-work.ts'

const HELPER = new URL('./check-files-worker.ts', import.meta.url)
/** With less work than this (in the unit of `costOf`), a thread would start after the work is done. */
const COST_WORTH_A_HELPER = 64e6
const PROGRESS_STEP = 1e6

export interface CheckFilesOptions {
  /** Number of threads that read, including the calling one. A small package is read by the calling thread alone. */
  workers: number
  /** Called with the bytes checked so far; the last call reports the sum of all sizes. */
  onProgress?(bytes: number): void
  signal?: AbortSignal
}

/**
 * Checks that the content of a verified archive's entries matches its headers. Throws `PackageRefused` about the first
 * mismatch in order of offset, regardless of thread timing, or the abort reason of `signal`.
 */
export async function checkFiles(path: string, entries: readonly Entry[], options: CheckFilesOptions): Promise<void> {
  const { workers, onProgress = () => {}, signal } = options
  signal?.throwIfAborted()
  const files = inOrderOfOffset(entries)
  const work = shareWork(files, piecesOf(files))
  await using parts = new AsyncDisposableStack()
  const source = openFileSource(path)
  parts.defer(() => source.close())
  const helpers = startHelpers(path, work, helpersWorth(workers, files))
  parts.defer(helpers.stop)
  signal?.addEventListener('abort', helpers.stop)
  parts.defer(() => signal?.removeEventListener('abort', helpers.stop))

  const entriesOf = ({ from, to }: Piece) => files.slice(from, to)
  const pieceOptions = { entriesOf, onProgress: inSteps(onProgress), ...(signal && { signal }) }
  const failedHere = await checkPieces(source, work, pieceOptions)
  const failedThere = await helpers.failed.catch((error) => {
    signal?.throwIfAborted()
    throw error
  })
  const [first] = [failedHere?.piece, ...failedThere].filter((piece) => piece != null).sort((a, b) => a.from - b.from)
  if (!first) return onProgress(files.reduce((sum, { size }) => sum + size, 0))
  if (failedHere && first === failedHere.piece) throw failedHere.refusal
  // Helper threads don't know paths. Reading the piece again here produces the error message.
  await readEntries(source, entriesOf(first), () => {}, signal)
  throw archiveRefused('the file changed while it was read')
}

function startHelpers(path: string, work: SharedWork, count: number) {
  const threads = Array.from({ length: count }, () => startHelper<Piece | null>(HELPER, { path, work }))
  const failed = Promise.all(threads.map(({ answer }) => answer))
  // A dead helper leaves its piece unchecked, so there is no point in continuing.
  failed.catch(() => takeNoMore(work))
  const stop = async () => void (await Promise.all(threads.map((thread) => thread.stop())))
  return { failed, stop }
}

function helpersWorth(workers: number, files: readonly Entry[]): number {
  const cost = files.reduce((sum, file) => sum + costOf(file), 0)
  return Math.max(0, Math.min(workers - 1, Math.floor(cost / COST_WORTH_A_HELPER)))
}

/** Suppresses progress calls that come too fast to be seen. */
function inSteps(onProgress: (bytes: number) => void): (bytes: number) => void {
  let said = 0
  return (bytes) => {
    if (bytes - said < PROGRESS_STEP) return
    said = bytes
    onProgress(bytes)
  }
}

/** A thread that produces one result and ends. */
export interface HelperThread<Answer> {
  /** Rejects when the thread fails or ends without a result. */
  readonly answer: Promise<Answer>
  /** Terminates the thread; resolves when it is gone. */
  stop(): Promise<unknown>
}

export function startHelper<Answer>(program: URL, data: object): HelperThread<Answer> {
  const worker = new Worker(program, { workerData: data })
  const answer = new Promise<Answer>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    // Only the first settlement counts, so this has no effect after a result.
    worker.once('exit', (code) => reject(new Error(`A thread ended with exit code ${code} and without a result`)))
  })
  return { answer, stop: () => worker.terminate() }
}
