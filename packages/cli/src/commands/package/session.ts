import { basename } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import type { Job } from '@plantroom/contract/jobs'
import { PART_BYTES } from '@plantroom/contract/uploads'
import { flawOfPackageName } from '@plantroom/fpl/package-name'
import type { SiteClient } from '../../clients.ts'
import { onTermination } from '../../on-termination.ts'
import { printable } from '../../output.ts'
import { createProgressBar } from '../../progress-bar.ts'
import { followCommand, followJob, progressOf } from './follow-job.ts'
import { sendFile, sizeOfFile } from './send-file.ts'
import { uploadPackage } from './upload-parts.ts'

/** Returns the name under which a file is uploaded. Throws if the file is missing or the service rejects its name. */
export function uploadName(file: string): string {
  sizeOfFile(file)
  const name = basename(file)
  const flaw = flawOfPackageName(name)
  if (flaw !== undefined) throw new Error(`${file} cannot be uploaded under this name: it ${flaw}`)
  return name
}

/** Uploads packages and follows jobs, with a progress bar. On Ctrl-C it prints what continues without it. */
export interface PackageSession extends Disposable {
  /** Uploads a file and returns its size in bytes. */
  upload(file: string): Promise<number>
  /** Follows a job to its end. `subject` labels the progress bar. */
  follow(subject: string, jobId: string): Promise<Job>
  /** Returns a callback that shows the progress of a download. */
  showDownload(subject: string): (done: number, total: number) => void
  /** Removes the progress bar before other output. */
  clear(): void
}

export function openSession({ client, site }: SiteClient): PackageSession {
  const bar = createProgressBar({ stream: process.stderr, clock: systemClock })
  let onInterrupt: string | undefined
  const signals = onTermination(() => {
    bar.clear()
    if (onInterrupt !== undefined) console.error(`plantroom package: ${onInterrupt}`)
  })
  return {
    async upload(file) {
      const size = sizeOfFile(file)
      const name = basename(file)
      const show = (label: string, done: number, total: number) => bar.show(`${printable(name)}: ${label}`, done, total)
      if (size > PART_BYTES) {
        onInterrupt = 'the upload was interrupted; run the command again to continue it'
        const warn = (message: string) => {
          bar.clear()
          console.error(`plantroom package: ${printable(message)}`)
        }
        await uploadPackage(file, { target: { client, site }, clock: systemClock, show, warn })
      } else {
        const { url } = await client.getUploadUrl({ ...site, query: { filename: name } })
        onInterrupt = 'the upload was interrupted; the service keeps nothing of it'
        await sendFile(file, url, (done, total) => show('uploading', done, total))
      }
      onInterrupt = undefined
      bar.clear()
      return size
    },
    async follow(subject, jobId) {
      onInterrupt = `the job continues in the service; follow it with: ${followCommand(jobId)}`
      const showProgress = (job: Job) => {
        const { label, done, total } = progressOf(job)
        bar.show(`${printable(subject)}: ${printable(label)}`, done, total)
      }
      const deps = { client, clock: systemClock, onUpdate: showProgress }
      const job = await followJob(deps, { ...site, jobId })
      onInterrupt = undefined
      bar.clear()
      return job
    },
    showDownload: (subject) => (done, total) => bar.show(`${printable(subject)}: downloading`, done, total),
    clear: bar.clear,
    [Symbol.dispose]() {
      bar.clear()
      signals[Symbol.dispose]()
    },
  }
}
