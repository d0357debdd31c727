import { createAtomicFile } from '../../atomic-file.ts'
import { onTermination } from '../../on-termination.ts'

/**
 * Downloads from a presigned address into a file: complete, with exactly this many bytes, or not at all. Replaces an
 * existing file.
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
    if (!response.ok || !response.body)
      throw new Error(`the package could not be downloaded: status ${response.status}`)
    let done = 0
    for await (const chunk of wholeBody(response.body)) {
      file.write(chunk)
      done += chunk.length
      onProgress(done, bytes)
    }
    if (done !== bytes) throw new Error(`the download ended after ${done} of ${bytes} bytes; run the command again`)
    file.commit()
  } finally {
    file.discard()
  }
}

async function* wholeBody(body: NonNullable<Response['body']>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body
  } catch {
    throw new Error('the connection was lost during the download; run the command again')
  }
}
