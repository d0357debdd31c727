import { basename } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import type { PackageClient } from '@plantroom/client/packages'
import type { Job, JobError } from '@plantroom/contract/jobs'
import { flawOfPackageName } from '@plantroom/fpl/package-name'
import { beforeDeath } from '../before-death.ts'
import { Unsuccessful } from '../command.ts'
import { print, printable } from '../output.ts'
import { createProgressBar } from '../progress-bar.ts'
import { sendFile, sizeOfFile } from '../send-file.ts'
import { barOf, followJob, howToFollow } from './package-follow.ts'
import { numbersOf, problemsOf, requireListName, writeList } from './package-lists.ts'
import { counted } from './package-report.ts'
import { resultOf } from './package-words.ts'

/** Flags of what follows a job. */
export const LIST_FLAGS = { report: { type: 'string' }, numbers: { type: 'string' } } as const

export interface ListFlags {
  json?: boolean | undefined
  report?: string | undefined
  numbers?: string | undefined
}

export function requireListNames(flags: ListFlags): void {
  requireListName('--report', flags.report)
  requireListName('--numbers', flags.numbers)
}

/** The name under which a file is uploaded. Throws where there is no such file, or the service would not take its name. */
export function uploadName(file: string): string {
  sizeOfFile(file)
  const name = basename(file)
  const flaw = flawOfPackageName(name)
  if (flaw !== undefined) throw new Error(`${file}: cannot be uploaded under this name: it ${flaw}`)
  return name
}

/** Uploads and follows jobs, with a bar on a terminal. Interrupted, it says what goes on without it. */
export interface PackageDesk extends Disposable {
  /** Gives the number of bytes. */
  upload(file: string): Promise<number>
  /** To its end. `subject` stands before the bar. */
  follow(subject: string, jobId: string): Promise<Job>
  /** Shows how far a download is. */
  showFetched(subject: string): (done: number, total: number) => void
  /** Takes the bar away, before something else is printed. */
  clear(): void
}

export function openDesk(packages: PackageClient): PackageDesk {
  const bar = createProgressBar({ stream: process.stderr, clock: systemClock })
  let parting: string | undefined
  const signals = beforeDeath(() => {
    bar.clear()
    if (parting !== undefined) console.error(`plantroom package: ${parting}`)
  })
  return {
    async upload(file) {
      const size = sizeOfFile(file)
      const name = basename(file)
      const url = await packages.uploadUrl(name)
      parting = 'the upload was broken off, and nothing of it is kept'
      await sendFile(file, url, (done, total) => bar.show(`${printable(name)}: uploading`, done, total))
      parting = undefined
      bar.clear()
      return size
    },
    async follow(subject, jobId) {
      parting = `the job goes on in the service; follow it with: ${howToFollow(jobId)}`
      const job = await followJob(
        {
          packages,
          clock: systemClock,
          onLook(job) {
            const { label, done, total } = barOf(job)
            bar.show(`${printable(subject)}: ${printable(label)}`, done, total)
          },
        },
        jobId,
      )
      parting = undefined
      bar.clear()
      return job
    },
    showFetched: (subject) => (done, total) => bar.show(`${printable(subject)}: downloading`, done, total),
    clear: bar.clear,
    [Symbol.dispose]() {
      bar.clear()
      signals[Symbol.dispose]()
    },
  }
}

/** Prints what became of a job and writes the lists that were asked for; one that failed is exit 1. */
export async function tell(packages: PackageClient, subject: string, job: Job, flags: ListFlags): Promise<void> {
  const failed = job.status === 'ERROR'
  const lines = [resultOf(subject, job)]
  if (flags.report !== undefined) lines.push(await writeReport(packages, job, flags.report))
  else if (failed && isAboutManifest(job)) lines.push(`  every problem: ${howToFollow(job.id)} --report FILE.csv`)
  if (flags.numbers !== undefined && job.name === 'TICKET_IMPORT') {
    const rows = numbersOf(packages, job.id)
    const count = await writeList(flags.numbers, { columns: ['externalId', 'number'], rows })
    lines.push(`  numbers of ${counted(count, 'request')} in ${printable(flags.numbers)}`)
  }
  print(flags.json, job, () => lines.join('\n'))
  if (failed) throw new Unsuccessful()
}

/** A package that was refused as a whole is one row, with the message as its rule. */
async function writeReport(packages: PackageClient, job: Job, path: string): Promise<string> {
  async function* rows() {
    let any = false
    for await (const problem of problemsOf(packages, job.id)) {
      any = true
      yield problem
    }
    if (!any && job.status === 'ERROR') yield { path: '', value: null, rule: messageOf(job) }
  }
  const count = await writeList(path, { columns: ['path', 'value', 'rule'], rows: rows() })
  return `  ${counted(count, 'problem')} in ${printable(path)}`
}

const messageOf = ({ output }: Job) => (output as JobError | null)?.message ?? ''
const isAboutManifest = (job: Job) => messageOf(job).startsWith('Invalid manifest:')
