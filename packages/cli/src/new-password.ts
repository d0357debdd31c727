import { randomBytes } from 'node:crypto'

/** Returns a password for a person to copy, with 120 random bits. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url')
}
