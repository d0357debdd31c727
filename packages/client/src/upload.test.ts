import { createHash } from 'node:crypto'
import { PART_BYTES, type PackageUpload } from '@plantroom/contract/uploads'
import { describe, expect, test } from 'vitest'
import { ApiError } from './http.ts'
import { speedOf, timeLeft, withMark } from './transfer-speed.ts'
import { AnotherFile, UnreadableFile, type UploadDeps, type UploadProgress, uploadInParts } from './upload.ts'

const site = { orgId: 'org', propertyId: 'site' }
/** Parts of a file whose bytes are told by the number of the part, so that no test needs megabytes. */
const SIZE = 9 * PART_BYTES + 5
const COUNT = 10
const sumOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** A service in memory that loses the connection when the test says so. */
function rig(options: { content?: (number: number) => string; fails?: (call: string) => Error | undefined } = {}) {
  const content = options.content ?? ((number) => `part ${number}`)
  const fails = options.fails ?? (() => undefined)
  const offered = new Map<number, string>()
  const stored = new Map<number, string>()
  const calls: string[] = []
  const progress: UploadProgress[] = []
  const stop = new AbortController()
  const waits: number[] = []
  let isCompleted = false
  const happen = (call: string) => {
    calls.push(call)
    const error = fails(call)
    if (error) throw error
  }
  const state = (): PackageUpload => ({
    uploadId: 'upload_1',
    purpose: 'import',
    filename: 'a.fpl',
    size: SIZE,
    partBytes: PART_BYTES,
    startedAt: '',
    usedAt: '',
    expiresAt: '',
    completed: isCompleted,
    parts: [...stored].map(([number, sha256]) => ({ number, sha256 })),
  })
  const client: UploadDeps['client'] = {
    async startUpload({ body }) {
      happen(body.purpose === 'import' ? 'start' : `start ${body.purpose}`)
      return state()
    },
    async getUpload() {
      happen('get')
      return state()
    },
    async offerParts({ body }) {
      const [part] = body.parts
      if (!part) throw new Error('no part')
      happen(`offer ${part.number}`)
      if (isCompleted || (offered.get(part.number) ?? part.sha256) !== part.sha256) throw new ApiError(409, {})
      offered.set(part.number, part.sha256)
      return { parts: [{ number: part.number, url: `/${part.number}` }] }
    },
    async completeUpload() {
      happen('complete')
      if (stored.size < COUNT) throw new ApiError(409, { message: 'part missing' })
      isCompleted = true
      return { filename: 'a.fpl', size: SIZE }
    },
  }
  const deps: UploadDeps = {
    client,
    site,
    sha256: async (bytes) => sumOf(new TextDecoder().decode(bytes.subarray(0, 20)).replace(/\0+$/, '')),
    async put(url) {
      const number = Number(url.slice(1))
      happen(`put ${number}`)
      stored.set(number, offered.get(number) ?? '')
    },
    async wait(ms) {
      waits.push(ms)
      stop.signal.throwIfAborted()
    },
    onProgress: (one) => progress.push(one),
    signal: stop.signal,
  }
  const file = {
    name: 'a.fpl',
    size: SIZE,
    async read(from: number, to: number) {
      const bytes = new Uint8Array(to - from)
      bytes.set(new TextEncoder().encode(content(from / PART_BYTES + 1)).subarray(0, to - from))
      return bytes
    },
  }
  const setCompleted = () => {
    isCompleted = true
  }
  return {
    deps,
    file,
    stored,
    offered,
    calls,
    progress,
    waits,
    stop,
    setCompleted,
    run: () => uploadInParts(file, deps),
  }
}

describe('an upload in parts', () => {
  test('sends every part once and tells what is confirmed', async () => {
    const { run, calls, progress } = rig()
    expect(await run()).toBe('upload_1')
    expect(calls[0]).toBe('start')
    expect(calls.filter((call) => call.startsWith('put'))).toHaveLength(COUNT)
    expect(calls.at(-1)).toBe('complete')
    expect(progress.at(-1)).toEqual({ stage: 'completing', done: SIZE, total: SIZE })
    const sending = progress.filter(({ stage }) => stage === 'sending').map(({ done }) => done)
    expect(sending).toEqual(sending.toSorted((a, b) => a - b))
  })

  test('says what it is for, and returns the id of one that is complete already', async () => {
    const { file, deps, calls, setCompleted } = rig()
    setCompleted()
    expect(await uploadInParts({ ...file, purpose: 'conversion' }, deps)).toBe('upload_1')
    expect(calls).toEqual(['start conversion'])
  })

  test('continues after cuts with growing delays, and repeats only what was under way', async () => {
    let puts = 0
    const cut = (call: string) => {
      if (!call.startsWith('put')) return undefined
      puts += 1
      return puts >= 5 && puts <= 10 ? new Error('connection lost') : undefined
    }
    const { run, calls, waits, progress } = rig({ fails: cut })
    await run()
    // Two parts are under way at a cut.
    expect(calls.filter((call) => call.startsWith('put')).length).toBeLessThanOrEqual(COUNT + 6)
    // The first attempt follows at once, because parts arrived before the cut.
    expect(waits).toEqual([50, 1000, 2000])
    expect(progress.find(({ stage }) => stage === 'waiting')).toMatchObject({
      done: 4 * PART_BYTES,
      retryMs: 50,
      error: { message: 'connection lost' },
    })
    expect(calls.filter((call) => call === 'start')).toHaveLength(1)
  })

  test('of another process is continued after a comparison', async () => {
    const first = rig()
    for (const number of [1, 2, 7]) first.stored.set(number, sumOf(`part ${number}`))
    await first.run()
    expect(first.calls.filter((call) => call.startsWith('put'))).toHaveLength(COUNT - 3)
    expect(first.progress[0]).toMatchObject({ stage: 'comparing' })
  })

  test('of another file of the same name and size is not touched', async () => {
    const stored = rig()
    stored.stored.set(2, sumOf('something else'))
    await expect(stored.run()).rejects.toThrow(AnotherFile)
    expect(stored.calls).toEqual(['start'])
    const underWay = rig()
    underWay.offered.set(1, sumOf('something else'))
    await expect(underWay.run()).rejects.toMatchObject({ name: 'AnotherFile', uploadId: 'upload_1' })
  })

  test('whose completion was not answered is not sent again', async () => {
    let lost = false
    const { run, calls, setCompleted } = rig({
      fails(call) {
        if (call !== 'complete' || lost) return undefined
        lost = true
        setCompleted()
        return new Error('no answer')
      },
    })
    expect(await run()).toBe('upload_1')
    expect(calls[0]).toBe('start')
    expect(calls.filter((call) => call.startsWith('put'))).toHaveLength(COUNT)
    expect(calls.slice(-2)).toEqual(['complete', 'get'])
  })

  test('that someone else has just completed with the same file ends well', async () => {
    const { run, setCompleted } = rig({
      fails(call) {
        if (call === 'offer 4') setCompleted()
        return undefined
      },
    })
    await run()
  })

  test('sends again what the store lost before the end', async () => {
    let lost = false
    const { run, stored, calls } = rig({
      fails(call) {
        if (call === 'complete' && !lost) {
          lost = true
          stored.delete(3)
        }
        return undefined
      },
    })
    await run()
    expect(calls.filter((call) => call === 'put 3')).toHaveLength(2)
  })

  test.each([
    [new ApiError(429, { message: 'quota' }), 1],
    [new ApiError(507, { message: 'full' }), 1],
    [new ApiError(403, { message: 'role lost' }), 1],
  ])('fails at once when another attempt would not help: %s', async (error, starts) => {
    const { run, calls } = rig({ fails: () => error })
    await expect(run()).rejects.toBe(error)
    expect(calls.filter((call) => call === 'start')).toHaveLength(starts)
  })

  test('gives up after as many attempts without a new part as it is told', async () => {
    const { file, deps, waits } = rig({ fails: () => new ApiError(503, { message: 'down' }) })
    await expect(uploadInParts(file, { ...deps, maxAttempts: 8 })).rejects.toThrow('down')
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  test('stops when it is told to, and can go on later', async () => {
    const { run, stop, calls, stored, file, deps } = rig({
      fails(call) {
        if (call === 'put 4') stop.abort(new Error('paused'))
        return undefined
      },
    })
    await expect(run()).rejects.toThrow('paused')
    expect(calls).not.toContain('complete')
    expect(stored.size).toBeGreaterThan(2)
    await uploadInParts(file, { ...deps, signal: new AbortController().signal })
    expect(stored.size).toBe(COUNT)
  })

  test('ends when the file cannot be read any more', async () => {
    const { file, deps } = rig()
    const broken = { ...file, read: () => Promise.reject(new Error('changed')) }
    await expect(uploadInParts(broken, deps)).rejects.toThrow(UnreadableFile)
    const short = { ...file, read: async () => new Uint8Array(3) }
    await expect(uploadInParts(short, deps)).rejects.toThrow('a.fpl cannot be read any more')
  })
})

describe('the speed of a transfer', () => {
  test('is that of its last seconds', () => {
    let marks = withMark([], { at: 0, bytes: 0 })
    for (let second = 1; second <= 90; second += 1) {
      marks = withMark(marks, { at: second * 1000, bytes: second < 50 ? second : 50 + (second - 50) * 1e6 })
    }
    expect(speedOf(marks)).toBe(1e6)
    expect(marks.length).toBeLessThan(40)
    expect(timeLeft(marks, 50 + 41e6)).toBe(1000)
  })

  test('is known even when the parts of a slow line are minutes apart', () => {
    expect(speedOf(withMark([{ at: 0, bytes: 0 }], { at: 100_000, bytes: 100 }))).toBe(1)
  })

  test('is undefined without enough data', () => {
    expect(speedOf([])).toBeUndefined()
    expect(speedOf([{ at: 5, bytes: 0 }])).toBeUndefined()
    expect(timeLeft(withMark([{ at: 5, bytes: 0 }], { at: 5, bytes: 9 }), 10)).toBeUndefined()
  })
})
