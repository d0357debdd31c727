import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Clock, sleep } from '@plantroom/base/clock'
import { sha256 } from '@plantroom/base/sha256'
import { type Mark, speedOf, timeLeft, withMark } from '@plantroom/client/transfer-speed'
import { AnotherFile, type UploadProgress, uploadInParts } from '@plantroom/client/upload'
import type { SiteClient } from '../../clients.ts'
import { partsOf, putPart } from './put-part.ts'

/** With the growing delays, about ten minutes without a new part. */
const MAX_ATTEMPTS = 24

interface UploadPartsDeps {
  target: SiteClient
  clock: Clock
  show(label: string, done: number, total: number): void
  /** Prints what the user should know although the upload continues. */
  warn(message: string): void
}

/** Uploads a large package in parts. Goes on with what an earlier run of the command has sent of the same file. */
export async function uploadPackage(path: string, deps: UploadPartsDeps): Promise<void> {
  const { target, clock } = deps
  await using file = await open(path, 'r')
  const parts = await partsOf(file, basename(path))
  const progress = describeProgress(clock)
  const send = () =>
    uploadInParts(parts, {
      client: target.client,
      site: target.site,
      sha256,
      put: putPart,
      wait: (ms) => sleep(clock, ms),
      onProgress: (one) => deps.show(progress(one), one.done, one.total),
      // Ctrl-C ends the process; the service keeps the parts.
      signal: new AbortController().signal,
      maxAttempts: MAX_ATTEMPTS,
    })
  try {
    await send()
  } catch (error) {
    if (!(error instanceof AnotherFile)) throw error
    deps.warn(`${error.message}; starting again`)
    await target.client.removeUpload({ ...target.site, uploadId: error.uploadId })
    await send()
  }
}

/** Describes progress with its speed and the time left, both from what the service has confirmed. */
export function describeProgress(clock: Pick<Clock, 'monotonic'>): (progress: UploadProgress) => string {
  let marks: Mark[] = []
  return (progress) => {
    const { stage, done, total } = progress
    if (stage === 'comparing') return 'comparing what is uploaded'
    if (stage === 'completing') return 'completing the upload'
    if (stage === 'waiting') {
      marks = []
      const seconds = Math.round(progress.retryMs / 1000)
      return `connection lost, retrying${seconds === 0 ? '' : ` in ${seconds} s`}`
    }
    marks = withMark(marks, { at: clock.monotonic(), bytes: done })
    const speed = speedOf(marks)
    const left = timeLeft(marks, total)
    if (speed === undefined || left === undefined) return 'uploading'
    return `uploading, ${rate(speed)}, ${span(left)} left`
  }
}

const rate = (bytesPerSecond: number) =>
  bytesPerSecond >= 1e6 ? `${(bytesPerSecond / 1e6).toFixed(1)} MB/s` : `${Math.round(bytesPerSecond / 1e3)} kB/s`

function span(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
