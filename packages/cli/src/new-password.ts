import { randomBytes } from 'node:crypto'

/** A password for a person to copy: 120 random bits. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url')
}
