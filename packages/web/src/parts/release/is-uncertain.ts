import { ApiError } from '@plantroom/client/http'

/** Reports whether a command may have been carried out: only a refusal rules that out. */
export function isUncertain(error: Error | null): boolean {
  return error !== null && !(error instanceof ApiError && error.status < 500)
}
