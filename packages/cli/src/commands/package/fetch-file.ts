import { createAtomicFile } from '../../atomic-file.ts'
import { onTermination } from '../../on-termination.ts'

/**
 * Fetches what lies at a presigned address into a file: whole, of just this many bytes and in its place, or not at all.
 * A file of that name is replaced.
 */
export async function fetchFile(
  url: string,
  path: string,
  bytes: number,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const file = createAtomicFile(path)
  using _signals = onTermination(file.discard)
  try {
    const response = await fetch(url).catch((error: { cause?: { code?: string } }) => {
      throw new Error(`${new URL(url).host} cannot be reached (${error.cause?.code ?? String(error)})`)
    })
    if (!response.ok || !response.body) throw new Error(`the package could not be fetched: ${response.status}`)
    let done = 0
    for await (const chunk of wholeBody(response.body)) {
      file.write(chunk)
      done += chunk.length
      onProgress(done, bytes)
    }
    if (done !== bytes) throw new Error(`${done} bytes came of a package of ${bytes}: fetch it again`)
    file.commit()
  } finally {
    file.discard()
  }
}

async function* wholeBody(body: NonNullable<Response['body']>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body
  } catch {
    throw new Error('the package did not come whole: the connection broke off')
  }
}
