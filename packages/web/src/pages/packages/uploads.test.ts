import { describe, expect, test } from 'vitest'
import { type SendFile, UploadCancelled, UploadError } from '../../parts/send-file.ts'
import { createUploads, type Mark, speedOf, withMark } from './uploads.ts'

const FILE = new File(['0123456789'], 'site.fpl')

/** A service whose steps the test takes one by one. */
function rig() {
  const sent: { url: string; bytes: (loaded: number) => void; arrive: () => void; fail: (error: Error) => void }[] = []
  const sendFile: SendFile = (url, _file, onProgress) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    sent.push({ url, bytes: onProgress, arrive: resolve, fail: reject })
    return { done: promise, cancel: () => reject(new UploadCancelled()) }
  }
  const checked: string[] = []
  let now = 0
  const uploads = createUploads({
    addressFor: async (site, name) => `https://files/${site}/${name}`,
    sendFile,
    startCheck: async (_site, name) => `job_${checked.push(name)}`,
    now: () => (now += 1000),
  })
  return { uploads, sent, checked }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('an upload', () => {
  test('is sent under its name, then checked', async () => {
    const { uploads, sent, checked } = rig()
    const ended = uploads.start('s1', FILE, 'renamed.fpl')
    expect(uploads.of('s1')).toMatchObject({ state: 'sending', name: 'renamed.fpl', size: 10, loaded: 0 })
    await settled()
    expect(sent[0]?.url).toBe('https://files/s1/renamed.fpl')
    sent[0]?.bytes(4)
    expect(uploads.of('s1')).toMatchObject({ loaded: 4, marks: [{ at: 1000, bytes: 4 }] })
    expect(uploads.isSending()).toBe(true)
    sent[0]?.arrive()
    await ended
    expect(checked).toEqual(['renamed.fpl'])
    expect(uploads.of('s1')).toEqual({ state: 'checking', name: 'renamed.fpl', jobId: 'job_1' })
    expect(uploads.isSending()).toBe(false)
  })

  test('keeps the file after a broken connection, to be sent again', async () => {
    const { uploads, sent, checked } = rig()
    const ended = uploads.start('s1', FILE, 'site.fpl')
    await settled()
    sent[0]?.fail(new UploadError('cut off'))
    await ended
    expect(uploads.of('s1')).toMatchObject({ state: 'failed', file: FILE, error: { message: 'cut off' } })
    expect(checked).toEqual([])
    const again = uploads.start('s1', FILE, 'site.fpl')
    await settled()
    sent[1]?.arrive()
    await again
    expect(uploads.of('s1')).toMatchObject({ state: 'checking' })
  })

  test('leaves nothing after a cancel, even before the first byte', async () => {
    const { uploads, sent, checked } = rig()
    const early = uploads.start('s1', FILE, 'site.fpl')
    uploads.cancel('s1')
    await early
    expect(sent).toEqual([])
    const late = uploads.start('s1', FILE, 'site.fpl')
    await settled()
    uploads.cancel('s1')
    await late
    expect(uploads.of('s1')).toBeUndefined()
    expect(checked).toEqual([])
  })

  test('is limited to one per site', async () => {
    const { uploads, sent } = rig()
    void uploads.start('s1', FILE, 'a.fpl')
    void uploads.start('s1', FILE, 'b.fpl')
    void uploads.start('s2', FILE, 'c.fpl')
    await settled()
    expect(sent.map(({ url }) => url)).toEqual(['https://files/s1/a.fpl', 'https://files/s2/c.fpl'])
  })

  test('notifies subscribers until they unsubscribe', async () => {
    const { uploads, sent } = rig()
    let notified = 0
    const stop = uploads.subscribe(() => (notified += 1))
    void uploads.start('s1', FILE, 'a.fpl')
    await settled()
    sent[0]?.bytes(1)
    expect(notified).toBe(2)
    stop()
    sent[0]?.bytes(2)
    expect(notified).toBe(2)
  })
})

test('the speed of an upload is that of its last seconds', () => {
  let marks: Mark[] = []
  for (let second = 0; second <= 60; second += 1) {
    marks = withMark(marks, { at: second * 1000, bytes: second < 50 ? second : 50 + (second - 50) * 1e6 })
  }
  expect(speedOf(marks)).toBe(1e6)
  expect(marks.length).toBeLessThan(10)
})

test('the speed is undefined without enough data', () => {
  expect(speedOf([])).toBeUndefined()
  expect(speedOf([{ at: 5, bytes: 0 }])).toBeUndefined()
  expect(speedOf(withMark([{ at: 5, bytes: 0 }], { at: 5, bytes: 9 }))).toBeUndefined()
})
