import { basename, resolve } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import type { CheckProgress, PackageReport } from '@plantroom/fpl/check-package'
import { flawOfPackageName } from '@plantroom/fpl/package-name'
import { wholeNumber } from '../../arguments.ts'
import { type AtomicFile, createAtomicFile } from '../../atomic-file.ts'
import { parse, ReportedFailure, UsageError } from '../../command.ts'
import { onTermination } from '../../on-termination.ts'
import { print, printable } from '../../output.ts'
import { createProgressBar, type ProgressBar } from '../../progress-bar.ts'
import { CSV_HEADER, counted, csvLines, describeReport, reportAsJson } from './report.ts'

const USUAL_THREADS = '2'
const MOST_THREADS = 16

const STAGES: Record<CheckProgress['stage'], string> = {
  manifest: 'reading the manifest',
  files: 'checking the attachments',
}

/** `plantroom package check`: each file on its own, so that one which cannot be read keeps no other from its answer. */
export async function check(args: readonly string[]): Promise<void> {
  const { values: flags, positionals: files } = parse(args, {
    help: { type: 'boolean', short: 'h' },
    json: { type: 'boolean' },
    csv: { type: 'string' },
    threads: { type: 'string' },
  })
  if (files.length === 0) throw new UsageError('FILE is missing')
  const workers = threadsOf(flags.threads ?? USUAL_THREADS)
  const csv = flags.csv === undefined ? undefined : createCsv(flags.csv, files)
  const bar = createProgressBar({ stream: process.stderr, clock: systemClock })
  const tidy = () => {
    bar.clear()
    csv?.discard()
  }

  using _signals = onTermination(tidy)
  try {
    let valid = 0
    for (const file of files) {
      const report = await reportOn(file, workers, bar)
      bar.clear()
      if (report.valid) valid += 1
      csv?.write(csvLines(file, report))
      if (report.isUnread) complain(file, report.message)
      else remarkOnName(file)
      if (flags.json || !report.isUnread)
        print(flags.json, reportAsJson(file, report), () => describeReport(file, report, flags.csv))
    }
    csv?.commit()
    if (files.length > 1 && !flags.json) console.log(`${valid} of ${counted(files.length, 'package')} valid`)
    if (valid < files.length) throw new ReportedFailure()
  } finally {
    tidy()
  }
}

/** A file that cannot be read at all is told like one that is not valid, and apart from it. */
type Report = PackageReport & { isUnread?: true }

async function reportOn(file: string, workers: number, bar: ProgressBar): Promise<Report> {
  // Only here: no other command should wait until the rules of a manifest are loaded.
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
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'may not be read by you',
  EPERM: 'may not be read by you',
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  return REASONS[code ?? ''] ?? message
}

function remarkOnName(file: string): void {
  const flaw = flawOfPackageName(basename(file))
  if (flaw !== undefined) complain(file, `can be checked, but not uploaded: the name ${flaw}`)
}

function complain(file: string, what: string | null): void {
  console.error(`plantroom package: ${printable(file)}: ${what}`)
}

function createCsv(path: string, files: readonly string[]): AtomicFile {
  if (path === '') throw new UsageError('--csv is missing the name of a file')
  // `--csv *.fpl` would put the list of problems in the place of the first package.
  if (/\.fpl$/i.test(path) || files.some((file) => resolve(file) === resolve(path)))
    throw new UsageError(`--csv ${path} is a package: name the file to write first`)
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
  if (threads > MOST_THREADS) throw new UsageError(`--threads ${text} is more than ${MOST_THREADS}`)
  return threads
}
