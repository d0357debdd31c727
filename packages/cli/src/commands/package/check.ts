import { basename, resolve } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import type { CheckProgress, PackageReport } from '@plantroom/fpl/check-package'
import { flawOfPackageName } from '@plantroom/fpl/package-name'
import { wholeNumber } from '../../arguments.ts'
import { type AtomicFile, createAtomicFile } from '../../atomic-file.ts'
import { COMMON_FLAGS, type parse, ReportedFailure, UsageError, valued } from '../../command.ts'
import { verb } from '../../declare.ts'
import { onTermination } from '../../on-termination.ts'
import { note, print, printable } from '../../output.ts'
import { createProgressBar, type ProgressBar } from '../../progress-bar.ts'
import { CSV_HEADER, counted, csvLines, describeReport, reportAsJson } from './report.ts'

const USUAL_THREADS = '2'
const MOST_THREADS = 16

const STAGES: Record<CheckProgress['stage'], string> = {
  manifest: 'reading the manifest',
  files: 'checking the attachments',
}

const FLAGS = {
  json: COMMON_FLAGS.json,
  csv: valued('FILE', 'write every problem to a file: file,path,value,rule', { completes: 'file' }),
  threads: valued('N', 'read attachments with N threads; 2 by default'),
} as const

export const check = verb({
  about: 'check packages of maintenance requests (.fpl) and count their contents',
  arguments: [{ name: 'FILE', repeated: true, completes: 'file' }],
  options: FLAGS,
  json: 'one line for each file: {file, valid, message, problems: [{path, value, rule}], tickets, comments, attachments}',
  run: (flags, { FILE }) => checkAll(FILE, flags),
})

/** Checks each file separately, so an unreadable one does not stop the others. */
async function checkAll(files: readonly string[], flags: ReturnType<typeof parse<typeof FLAGS>>['values']) {
  const workers = threadsOf(flags.threads ?? USUAL_THREADS)
  const csv = flags.csv === undefined ? undefined : createCsv(flags.csv, files)
  const bar = createProgressBar({ stream: process.stderr, clock: systemClock })
  const cleanUp = () => {
    bar.clear()
    csv?.discard()
  }

  using _signals = onTermination(cleanUp)
  try {
    let valid = 0
    for (const file of files) {
      const report = await reportOn(file, workers, bar)
      bar.clear()
      if (report.valid) valid += 1
      csv?.write(csvLines(file, report))
      remark(file, report, flags.json)
      if (flags.json || !report.isUnread)
        print(flags.json, reportAsJson(file, report), () => describeReport(file, report, flags.csv))
    }
    csv?.commit()
    if (files.length > 1 && !flags.json) console.log(`${valid} of ${counted(files.length, 'package')} valid`)
    if (valid < files.length) throw new ReportedFailure()
  } finally {
    cleanUp()
  }
}

/** A report, marked if the file could not be read at all. */
type Report = PackageReport & { isUnread?: true }

async function reportOn(file: string, workers: number, bar: ProgressBar): Promise<Report> {
  // Load the checker only here: other commands should not wait for it.
  const { checkPackage } = await import('@plantroom/fpl/check-package')
  const name = printable(basename(file))
  try {
    return await checkPackage(file, {
      workers,
      onProgress: ({ stage, done, total }) => bar.show(`${name}: ${STAGES[stage]}`, done, total),
    })
  } catch (error) {
    const message = reasonOf(error as NodeJS.ErrnoException)
    return {
      valid: false,
      message,
      isUnread: true,
      problems: [],
      problemCount: 0,
      tickets: 0,
      comments: 0,
      attachments: 0,
    }
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist',
  EACCES: 'you have no permission to read the file',
  EPERM: 'you have no permission to read the file',
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return REASONS[code ?? ''] ?? message
}

function remark(file: string, { isUnread, message }: Report, json: boolean | undefined): void {
  if (isUnread) {
    complain(file, message, json)
    return
  }
  const flaw = flawOfPackageName(basename(file))
  if (flaw !== undefined) complain(file, `can be checked but not uploaded: the name ${flaw}`, json)
}

function complain(file: string, what: string | null, json: boolean | undefined): void {
  if (json) note(json, `${file}: ${what}`)
  else console.error(`plantroom package: ${printable(file)}: ${what}`)
}

function createCsv(path: string, files: readonly string[]): AtomicFile {
  if (path === '') throw new UsageError('--csv needs a file name')
  // `--csv *.fpl` would overwrite the first package with the list of problems.
  if (/\.fpl$/i.test(path) || files.some((file) => resolve(file) === resolve(path)))
    throw new UsageError(`--csv ${path} is a package; give the file to write after --csv`)
  try {
    const file = createAtomicFile(path)
    file.write(CSV_HEADER)
    return file
  } catch (error) {
    throw new Error(`${path} cannot be written: ${(error as Error).message}`)
  }
}

function threadsOf(text: string): number {
  const threads = wholeNumber(text, '--threads')
  if (threads > MOST_THREADS) throw new UsageError(`--threads must be at most ${MOST_THREADS}, not ${text}`)
  return threads
}
