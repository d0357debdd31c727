import { ApiError } from '@plantroom/client/http'
import { errors as texts } from '../texts/common.ts'
import { proof } from '../texts/factors.ts'
import { findText, format } from '../texts/format.ts'
import { PasskeyError } from './passkey-browser.ts'
import { capitalized } from './value.ts'

/**
 * Returns what happened and what to do. Some messages of the service are hints for programs ("retry with backoff"):
 * the console has its own text for their codes.
 */
export function describeError(error: Error): string {
  if (error instanceof PasskeyError) return proof.passkeyFailed
  if (!(error instanceof ApiError)) return texts.unreachable
  return findText(texts.byCode, error.code) ?? format(texts.fromService, { message: capitalized(error.message) })
}
