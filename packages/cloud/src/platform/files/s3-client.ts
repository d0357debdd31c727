import { S3Client } from '@aws-sdk/client-s3'

export interface S3Settings {
  bucket: string
  region: string
  /** For services other than Amazon S3. */
  endpoint: string | undefined
  /** Undefined: the default credentials of the machine, for example an instance role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** Connects to the service of the bucket. `maxAttempts` of one call; the SDK's own number by default. */
export function createS3Client({ region, endpoint, credentials }: S3Settings, maxAttempts?: number): S3Client {
  return new S3Client({
    region,
    ...(maxAttempts !== undefined && { maxAttempts }),
    // The SDK would otherwise sign a checksum into upload addresses, which senders do not send.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Few other services support the bucket name as host.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials && { credentials }),
  })
}
