import { describe, expect, test } from 'vitest'
import { type SendFile, UploadCancelled } from '../../parts/send-file.ts'
import { attachmentsOf, chooseFiles, createFileUploads } from './file-uploads.ts'

const file = (name: string, size = 10) => Object.defineProperty(new File(['x'], name), 'size', { value: size })

/** Lets promises that are already resolved run. */
async function settle() {
  for (let step = 0; step < 20; step += 1) await Promise.resolve()
}

/** A store whose uploads end when the test says so. */
function open() {
  const sent = new Map<string, { succeed(): void; fail(): void; progress(bytes: number): void }>()
  let offered = 0
  const sendFile: SendFile = (url, blob, onProgress) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { name } = blob as File
    sent.set(name, { succeed: resolve, fail: () => reject(new Error(`no way to ${url}`)), progress: onProgress })
    return { done: promise, cancel: () => reject(new UploadCancelled()) }
  }
  const uploads = createFileUploads({
    async offer() {
      offered += 1
      return { uploadId: `up${offered}`, url: `/uploads/${offered}` }
    },
    sendFile,
  })
  const states = () => uploads.list().map((one) => `${one.file.name} ${one.state} ${one.loaded}`)
  return { uploads, sent, states, settle }
}

describe('chosen files', () => {
  test('are uploaded three at a time, with progress, and named in the body in order', async () => {
    const { uploads, sent, states, settle } = open()
    expect(uploads.add(['a', 'b', 'c', 'd'].map((name) => file(name)))).toEqual([])
    await settle()
    expect(states()).toEqual(['a sending 0', 'b sending 0', 'c sending 0', 'd waiting 0'])
    sent.get('b')?.progress(4)
    sent.get('b')?.succeed()
    await settle()
    expect(states()).toEqual(['a sending 0', 'b done 10', 'c sending 0', 'd sending 0'])
    expect(attachmentsOf(uploads.list())).toMatchObject({ isSending: true, hasFailed: false })
    for (const name of ['a', 'c', 'd']) sent.get(name)?.succeed()
    await settle()
    expect(attachmentsOf(uploads.list())).toEqual({
      isSending: false,
      hasFailed: false,
      attachments: [
        { uploadId: 'up1', name: 'a', contentType: null },
        { uploadId: 'up2', name: 'b', contentType: null },
        { uploadId: 'up3', name: 'c', contentType: null },
        { uploadId: 'up4', name: 'd', contentType: null },
      ],
    })
  })

  test('can be repeated after a failure, and removed while they are sent', async () => {
    const { uploads, sent, states, settle } = open()
    uploads.add([file('a'), file('b')])
    await settle()
    sent.get('a')?.fail()
    await settle()
    expect(states()).toEqual(['a failed 0', 'b sending 0'])
    const [a, b] = uploads.list()
    uploads.retry(a?.id ?? 0)
    uploads.remove(b?.id ?? 0)
    await settle()
    sent.get('a')?.succeed()
    await settle()
    expect(states()).toEqual(['a done 10'])
  })
})

test('too many and too large files are left out, and named', () => {
  const many = Array.from({ length: 5 }, (_, place) => file(`f${place}`))
  expect(chooseFiles(many, 18)).toMatchObject({ taken: { length: 2 }, problems: [expect.stringContaining('f2')] })
  const { taken, problems } = chooseFiles([file('big', 100e6 + 1), file('fits', 100e6)], 0)
  expect([taken.map(({ name }) => name), problems]).toEqual([['fits'], [expect.stringContaining('big has 100 MB')]])
})
