import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { newId } from '@plantroom/base/ids'
import { createS3Client, type S3Settings } from './s3-client.ts'

const CONTENT = 'written by plantroom doctor; it may be deleted'

/** Writes an object, reads it and deletes it. Rejects with the step that failed. */
export async function probeS3(settings: S3Settings, abortSignal: AbortSignal): Promise<void> {
  const { bucket: Bucket } = settings
  const client = createS3Client(settings, 1)
  const Key = `doctor/${newId('probe')}`
  const step = async <Result>(name: string, done: Promise<Result>): Promise<Result> =>
    done.catch((error: Error) => {
      throw new Error(`${name} failed: ${error.name}${error.message === error.name ? '' : `, ${error.message}`}`)
    })
  try {
    await step('writing', client.send(new PutObjectCommand({ Bucket, Key, Body: CONTENT }), { abortSignal }))
    const { Body } = await step('reading', client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal }))
    if ((await Body?.transformToString()) !== CONTENT) throw new Error('reading returned other bytes than were written')
    await step('deleting', client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal }))
  } finally {
    client.destroy()
  }
}
