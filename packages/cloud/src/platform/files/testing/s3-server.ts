import S3rver from '@20minutes/s3rver'
import type { S3Settings } from '../s3-client.ts'
import { multipartOf } from './s3-multipart.ts'

/** Starts an S3 server that checks signatures, with one bucket in a folder. */
export async function startS3(
  directory: string,
  options: { allowMismatchedSignatures?: boolean } = {},
): Promise<{ settings: S3Settings; close(): Promise<void> }> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    ...options,
    configureBuckets: [{ name: 'files' }],
  })
  // It leaves out the slash after the bucket when it checks the signature of a list.
  server.middleware.unshift(async (context, next) => {
    const lenient = { allowMismatchedSignatures: { value: true } }
    if ('list-type' in context.query) context.app = Object.create(context.app, lenient)
    await next()
  })
  server.middleware.unshift(multipartOf(directory))
  const { port } = await server.run()
  return {
    settings: {
      bucket: 'files',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${port}`,
      // The only account of the server.
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    close: () => server.close(),
  }
}
