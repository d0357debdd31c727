import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { sha256 } from '@plantroom/base/sha256'
import { uploadInParts } from '@plantroom/client/upload'
import type { PackageSite } from './package-service.ts'

const STEP = 64 * 1024

interface Interruptions {
  /** After how many sent bytes of the upload each interruption happens, in order. */
  at: readonly number[]
  /** Breaks the service at that moment; resolves when it works again. */
  interrupt(): Promise<void>
}

/** Uploads bytes in parts while the service is interrupted. Returns how many bytes were sent in all. */
export async function uploadInterrupted(
  site: PackageSite,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  { at, interrupt }: Interruptions,
): Promise<number> {
  const points = [...at]
  let sent = 0
  let back: Promise<void> = Promise.resolve()
  async function put(url: string, part: Uint8Array): Promise<void> {
    const sending = request(url, { method: 'PUT', headers: { 'content-length': part.length } })
    const answered = once(sending, 'response')
    // Awaited below; a break while the part is sent must not end the process.
    answered.catch(() => {})
    for (let from = 0; from < part.length; from += STEP) {
      const chunk = part.subarray(from, from + STEP)
      sent += chunk.length
      if (points[0] !== undefined && sent >= points[0]) {
        points.shift()
        // Not before the service is back from the interruption before.
        back = back.then(interrupt)
      }
      // A broken connection does not call back.
      await Promise.race([new Promise((resolve) => sending.write(chunk, resolve)), answered])
    }
    sending.end()
    const [response] = await answered
    response.resume()
    if (response.statusCode !== 200) throw new Error(`the part was answered with ${response.statusCode}`)
  }
  await uploadInParts(
    { name, size: bytes.length, read: async (from, to) => bytes.slice(from, to) },
    {
      client: site.client,
      site: site.ids,
      sha256,
      put,
      wait: () => back,
      onProgress: () => {},
      signal: new AbortController().signal,
      maxAttempts: 20,
    },
  )
  return sent
}

/** Reads the only package of a site from the disk. */
export function packageBytesOf(folder: string, { ids }: PackageSite): Buffer {
  const place = join(folder, 'files/packages', ids.orgId, ids.propertyId)
  const [name = '', ...others] = readdirSync(place).filter((entry) => !entry.includes('.'))
  if (others.length > 0) throw new Error(`the site has ${others.length + 1} packages`)
  return readFileSync(join(place, name))
}
