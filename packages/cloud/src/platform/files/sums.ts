import type { FileHandle } from 'node:fs/promises'
import { createAskedThread } from '@plantroom/base/asked-thread'
import { PART_BYTES } from '@plantroom/contract/uploads'
import { contentVersion } from './content-version.ts'
import type { UploadTurn } from './upload-turns.ts'

const THREAD = new URL('./sum-thread.ts', import.meta.url)

/** A range of bytes of an open file, by the file's number in this process. */
export interface SumQuestion {
  file: number
  from: number
  to: number
}

/** Returns the SHA-256 of a range of bytes in hexadecimal digits. The file stays open until then. */
export type SumOf = (file: FileHandle, range: { from: number; to: number }) => Promise<string>

/** Computes checksums in a thread of its own: at 200 MB/s they would take most of what a process needs for uploads. */
export function createSums(): SumOf {
  const ask = createAskedThread<SumQuestion, string>(THREAD, 'computes checksums')
  return ({ fd: file }, { from, to }) => ask({ file, from, to })
}

/** The version of a file that is being written. Its disposal waits until nothing reads the file any more. */
export interface ContentSum extends AsyncDisposable {
  /** The file has this size now. */
  grow(size: number): void
  version(): Promise<string>
}

/** Computes the version of a file part by part, while it is written. The `turn` runs each part. */
export function createContentSum(file: FileHandle, sumOf: SumOf, turn: UploadTurn = (step) => step()): ContentSum {
  let size = 0
  let from = 0
  const sums: string[] = []
  let computed = Promise.resolve()

  function endPart(to: number): void {
    const range = { from, to }
    from = to
    computed = computed.then(async () => void sums.push(await turn(() => sumOf(file, range))))
    // Reported when the version is asked for, which may be never.
    computed.catch(() => {})
  }

  return {
    grow(to) {
      size = to
      while (size - from >= PART_BYTES) endPart(from + PART_BYTES)
    },
    async version() {
      if (size > from) endPart(size)
      await computed
      return contentVersion(sums, size)
    },
    async [Symbol.asyncDispose]() {
      await computed.catch(() => {})
    },
  }
}

/** Reads an open file and returns the version of its content. */
export async function versionOfFile(file: FileHandle, sumOf: SumOf): Promise<string> {
  await using sum = createContentSum(file, sumOf)
  sum.grow((await file.stat()).size)
  return await sum.version()
}
