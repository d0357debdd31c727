/** Returns the SHA-256 of bytes in hexadecimal digits, in browsers and in Node. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Browsers offer it on secure pages only, and a console in a building may be opened over plain HTTP.
  const subtle = globalThis.crypto?.subtle as typeof globalThis.crypto.subtle | undefined
  const digest = subtle ? new Uint8Array(await subtle.digest('SHA-256', bytes)) : await slowSha256(bytes)
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Loaded on first use: most pages are secure. */
const slowSha256 = async (bytes: Uint8Array) => (await import('@noble/hashes/sha2.js')).sha256(bytes)
