import { hash } from 'node:crypto'

/** Returns the SHA-256 of a text or of bytes in hexadecimal digits. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data)
