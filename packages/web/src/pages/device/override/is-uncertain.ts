import { ApiError } from '@plantroom/client/http'

/** Whether nobody knows if the device did it: so after all but what someone judged and refused. */
export function isUncertain(error: Error | null): boolean {
  return error !== null && !(error instanceof ApiError && error.status < 500)
}
