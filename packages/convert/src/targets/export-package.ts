import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkPackage } from '@plantroom/fpl/check-package'
import { type OpenPackage, openPackage, readEntries } from '@plantroom/fpl/read-package'
import { readRequests } from '@plantroom/fpl/read-requests'
import { createAccountOf } from '../account.ts'
import { createOutputFolder, type OutputFolder } from './output-folder.ts'
import { createStoredFiles, type StoredFiles } from './stored-files.ts'
import type { ExportTarget, ExportTotal, TargetDeps, TargetOptions, TargetWriter } from './target.ts'

export interface ExportOptions {
  target: ExportTarget
  /** The path of the package. */
  input: string
  /** The path of the folder. */
  output: string
  /** Replaces a folder that an earlier export wrote. */
  isReplaced?: boolean | undefined
  /** The path of a CSV file with every value that has no place: place,column,value,became. */
  unplacedCsv?: string | undefined
  table?: Partial<TargetOptions> | undefined
  signal?: AbortSignal | undefined
  onProgress?(progress: ExportProgress): void
}

/** `done` of `total` bytes or requests in the current stage. */
export interface ExportProgress {
  readonly stage: 'check' | 'requests' | 'files'
  readonly done: number
  readonly total: number
}

export interface ExportResult {
  readonly tickets: number
  readonly comments: number
  /** Attachments of requests and comments. Several may share a file. */
  readonly attachments: number
  readonly files: readonly string[]
  readonly unplaced: readonly ExportTotal[]
}

const DEFAULTS: TargetOptions = { separator: ',', byteOrderMark: false, baseUrl: 'file://' }

/**
 * Converts a package into files for another system: a whole folder or none. Checks the package first, and throws if it is
 * invalid or the folder exists. Keeps one batch of requests in memory.
 */
export async function exportPackage(options: ExportOptions): Promise<ExportResult> {
  const { target, input, output, signal, onProgress = () => {} } = options
  const stop = signal ? { signal } : {}
  await using folder = await createOutputFolder(output, options)
  const report = await checkPackage(input, {
    onProgress: ({ done, total }) => onProgress({ stage: 'check', done, total }),
    ...stop,
  })
  if (!report.valid) throw new Error(`${input} is not a valid package: ${report.message}`)
  const { tickets, comments, attachments } = report
  using opened = openPackage(input)
  await using account = createAccountOf<{ became: string }>(options.unplacedCsv)
  const files = createStoredFiles(opened.archive.find)
  const deps: TargetDeps = { account, options: { ...DEFAULTS, ...options.table }, fileOf: files.fileOf }
  const writer = target.open(deps)
  await surveyed(opened, writer, signal)
  await appended(folder, target, writer.begin())
  let done = 0
  await readRequests(
    opened,
    async (requests) => {
      const written = requests.map(({ request }) => writer.write(`request ${request.externalId}`, request))
      await appended(
        folder,
        target,
        target.files.map((_name, index) => written.map((texts) => texts[index]).join('')),
      )
      await account.drained()
      done += requests.length
      onProgress({ stage: 'requests', done, total: tickets })
    },
    stop,
  )
  await copyFiles(opened, files, folder.path, options)
  const result = { tickets, comments, attachments, files: target.files, unplaced: account.totals() }
  await account.commit()
  await folder.commit({ target: target.name, ...result })
  return result
}

async function surveyed(opened: OpenPackage, writer: TargetWriter, signal: AbortSignal | undefined): Promise<void> {
  if (!writer.survey) return
  const take = async (requests: readonly { request: Parameters<NonNullable<TargetWriter['survey']>>[0] }[]) => {
    for (const { request } of requests) writer.survey?.(request)
  }
  await readRequests(opened, take, signal ? { signal } : {})
}

async function appended(folder: OutputFolder, { files }: ExportTarget, texts: readonly string[]): Promise<void> {
  for (const [index, name] of files.entries()) await folder.append(name, texts[index] ?? '')
}

/** Writes the files that requests name. Their checksums are verified again while they are read. */
async function copyFiles(
  { source }: OpenPackage,
  files: StoredFiles,
  folder: string,
  { signal, onProgress = () => {} }: ExportOptions,
): Promise<void> {
  const paths = files.all()
  const entries = [...paths.keys()].sort((a, b) => a.offset - b.offset)
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  let [done, current] = [0, -1]
  try {
    await readEntries(
      source,
      entries,
      (entry, bytes, isLast) => {
        if (current === -1) {
          const path = join(folder, paths.get(entry) ?? '')
          mkdirSync(dirname(path), { recursive: true })
          current = openSync(path, 'wx')
        }
        for (let at = 0; at < bytes.length; ) at += writeSync(current, bytes, at)
        done += bytes.length
        if (!isLast) return
        closeSync(current)
        current = -1
        onProgress({ stage: 'files', done, total })
      },
      signal,
    )
  } finally {
    if (current !== -1) closeSync(current)
  }
}
