import { ApiError } from '@plantroom/client/http'
import { AnotherFile, type UploadProgress } from '@plantroom/client/upload'
import { describe, expect, test } from 'vitest'
import { UploadError } from '../../parts/send-file.ts'
import { createUploads } from './uploads.ts'

const FILE = new File(['0123456789'], 'site.fpl')
const one = (name: string, file = FILE) => ({ files: [{ file, name }] })

/** A service whose steps the test takes one by one. */
function rig() {
  const sent: {
    name: string
    tell: (progress: UploadProgress) => void
    arrive: () => void
    fail: (error: Error) => void
  }[] = []
  const checked: string[] = []
  const discarded: string[] = []
  const given: (readonly string[])[] = []
  const failures: Error[] = []
  let now = 0
  const uploads = createUploads({
    send(_site, { name }, { signal, onProgress }) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      sent.push({ name, tell: onProgress, arrive: () => resolve(`upload of ${name}`), fail: reject })
      signal.addEventListener('abort', () => reject(signal.reason))
      return promise
    },
    discard: async (_site, name) => void discarded.push(name),
    async startJob(_site, { files }, sent) {
      const failure = failures.shift()
      if (failure) throw failure
      given.push(sent)
      return `job_${checked.push(files[0]?.name ?? '')}`
    },
    now: () => (now += 1000),
  })
  return { uploads, sent, checked, discarded, given, failures }
}

const sending = (done: number): UploadProgress => ({ stage: 'sending', done, total: 10 })

describe('an upload', () => {
  test('is sent under its name, then checked', async () => {
    const { uploads, sent, checked } = rig()
    const ended = uploads.start('s1', one('renamed.fpl'))
    expect(uploads.of('s1')).toMatchObject({ state: 'sending', name: 'renamed.fpl', size: 10, loaded: 0 })
    expect(sent[0]?.name).toBe('renamed.fpl')
    sent[0]?.tell(sending(4))
    expect(uploads.of('s1')).toMatchObject({ loaded: 4, marks: [{ at: 1000, bytes: 4 }] })
    expect(uploads.isSending()).toBe(true)
    sent[0]?.arrive()
    await ended
    expect(checked).toEqual(['renamed.fpl'])
    expect(uploads.of('s1')).toEqual({ state: 'started', name: 'renamed.fpl', jobId: 'job_1' })
    expect(uploads.isSending()).toBe(false)
  })

  test('says while the connection is lost when it tries again, and forgets the speed from before', () => {
    const { uploads, sent } = rig()
    void uploads.start('s1', one('site.fpl'))
    sent[0]?.tell(sending(4))
    sent[0]?.tell({ stage: 'waiting', done: 4, total: 10, retryMs: 8000, error: new Error('cut') })
    expect(uploads.of('s1')).toMatchObject({ state: 'sending', loaded: 4, marks: [], retryAt: 10_000 })
    sent[0]?.tell(sending(5))
    expect(uploads.of('s1')).not.toHaveProperty('retryAt')
  })

  test('that failed keeps the file, to go on', async () => {
    const { uploads, sent, checked, discarded } = rig()
    const ended = uploads.start('s1', one('site.fpl'))
    sent[0]?.fail(new UploadError('no room'))
    await ended
    expect(uploads.of('s1')).toMatchObject({ state: 'failed', task: one('site.fpl'), error: { message: 'no room' } })
    expect([checked, discarded]).toEqual([[], []])
    const again = uploads.start('s1', one('site.fpl'))
    sent[1]?.arrive()
    await again
    expect(uploads.of('s1')).toMatchObject({ state: 'started' })
  })

  test('that is paused keeps what is stored, and goes on or is cancelled', async () => {
    const { uploads, sent, discarded } = rig()
    const paused = uploads.start('s1', one('site.fpl'))
    sent[0]?.tell(sending(7))
    uploads.pause('s1')
    await paused
    expect(uploads.of('s1')).toEqual({ state: 'paused', name: 'site.fpl', size: 10, loaded: 7, task: one('site.fpl') })
    expect([discarded, uploads.isSending()]).toEqual([[], false])
    const again = uploads.start('s1', one('site.fpl'))
    uploads.pause('s1')
    await again
    await uploads.cancel('s1')
    expect([uploads.of('s1'), discarded]).toEqual([undefined, ['site.fpl']])
  })

  test('leaves nothing after a cancel', async () => {
    const { uploads, checked, discarded } = rig()
    const cancelled = uploads.start('s1', one('site.fpl'))
    void uploads.cancel('s1')
    await cancelled
    expect([uploads.of('s1'), checked, discarded]).toEqual([undefined, [], ['site.fpl']])
  })

  test('does not mix with the unfinished one of another file, but can replace it', async () => {
    const { uploads, sent, discarded } = rig()
    const refused = uploads.start('s1', one('site.fpl'))
    sent[0]?.fail(new AnotherFile('site.fpl', 'upload_1'))
    await refused
    expect(uploads.of('s1')).toEqual({ state: 'another', name: 'site.fpl', task: one('site.fpl') })
    expect(discarded).toEqual([])
    const replaced = uploads.replace('s1')
    await Promise.resolve()
    expect(discarded).toEqual(['site.fpl'])
    await new Promise((resolve) => setTimeout(resolve))
    sent[1]?.arrive()
    await replaced
    expect(uploads.of('s1')).toMatchObject({ state: 'started' })
  })

  test('is limited to one per site', () => {
    const { uploads, sent } = rig()
    void uploads.start('s1', one('a.fpl'))
    void uploads.start('s1', one('b.fpl'))
    void uploads.start('s2', one('c.fpl'))
    expect(sent.map(({ name }) => name)).toEqual(['a.fpl', 'c.fpl'])
  })

  test('notifies subscribers until they unsubscribe', () => {
    const { uploads, sent } = rig()
    let notified = 0
    const stop = uploads.subscribe(() => (notified += 1))
    void uploads.start('s1', one('a.fpl'))
    sent[0]?.tell(sending(1))
    expect(notified).toBe(2)
    stop()
    sent[0]?.tell(sending(2))
    expect(notified).toBe(2)
  })
})

describe('an upload of several files', () => {
  const more = new File(['x'], 'more.zip')
  const both = { files: [...one('a.csv').files, { file: more, name: 'more.zip' }] }
  const turn = () => new Promise((resolve) => setTimeout(resolve))

  test('sends one after the other, and goes on with the one that failed', async () => {
    const { uploads, sent, given } = rig()
    const failed = uploads.start('s1', both)
    expect(uploads.of('s1')).toMatchObject({ name: 'a.csv', position: 1, count: 2 })
    sent[0]?.arrive()
    await turn()
    expect(uploads.of('s1')).toMatchObject({ name: 'more.zip', size: 1, position: 2, count: 2, loaded: 0 })
    sent[1]?.fail(new UploadError('cut'))
    await failed
    expect(uploads.of('s1')).toMatchObject({ state: 'failed', name: 'more.zip', size: 1 })
    const again = uploads.start('s1', both)
    await turn()
    sent[2]?.arrive()
    await again
    expect(sent.map(({ name }) => name)).toEqual(['a.csv', 'more.zip', 'more.zip'])
    expect(given).toEqual([['upload of a.csv', 'upload of more.zip']])
  })

  test('whose job did not start sends nothing again, unless what was sent is gone', async () => {
    const { uploads, sent, checked, failures } = rig()
    failures.push(new ApiError(503, {}), new ApiError(404, {}))
    const first = uploads.start('s1', one('a.csv'))
    sent[0]?.arrive()
    await first
    expect(uploads.of('s1')).toMatchObject({ state: 'failed', name: 'a.csv', size: 10 })
    await uploads.start('s1', one('a.csv'))
    expect(uploads.of('s1')).toMatchObject({ state: 'failed' })
    expect(sent).toHaveLength(1)
    const last = uploads.start('s1', one('a.csv'))
    sent[1]?.arrive()
    await last
    expect([sent.length, checked]).toEqual([2, ['a.csv']])
  })

  test('that is cancelled discards the one under way and begins anew', async () => {
    const { uploads, sent, discarded } = rig()
    const cancelled = uploads.start('s1', both)
    sent[0]?.arrive()
    await turn()
    void uploads.cancel('s1')
    await cancelled
    expect([uploads.of('s1'), discarded]).toEqual([undefined, ['more.zip']])
    void uploads.start('s1', both)
    expect(uploads.of('s1')).toMatchObject({ name: 'a.csv' })
  })
})
