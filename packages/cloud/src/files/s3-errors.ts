import { S3ServiceException } from '@aws-sdk/client-s3'
import { Failure } from '@plantroom/contract/failure'

export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket'
}

/** What nobody expected of the bucket, for whoever has to mend it. */
export function explainS3(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error) || error.name === 'AbortError') return error
  const reason = error.message && error.message !== error.name ? `${error.name}, ${error.message}` : error.name
  return new Failure('unavailable', `the bucket of S3_BUCKET cannot be used: ${reason}`)
}
