import { mkdtemp, rename, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { SourceError } from '@plantroom/convert/source'
import { type FileStore, sourceKey } from '../../platform/files/index.ts'
import { JobFailure, type JobTools } from '../../platform/jobs/index.ts'
import type { AcceptedUpload, ConversionOptions } from './conversion-options.ts'

const MAX_LISTED = 20

/** The files of an export, in a folder that goes with them. */
export interface Inputs extends AsyncDisposable {
  readonly folder: string
  readonly paths: readonly string[]
  readonly attachments: string | undefined
}

/** Fetches the files of a job as they were when it was accepted. Throws a final failure when one is gone or replaced. */
export async function fetchInputs(
  { job, signal }: JobTools,
  deps: { files: Pick<FileStore, 'fetch'>; folder: string },
): Promise<Inputs> {
  const { files, attachments } = job.options as ConversionOptions
  const folder = await mkdtemp(join(deps.folder, 'conversion-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  const fetchOne = async ({ uploadId, filename, version }: AcceptedUpload, index: number) => {
    const key = sourceKey(job.organizationId, job.siteId, uploadId)
    const fetched = await deps.files.fetch(key, version, folder, { signal }).catch((error: unknown) => {
      throw explainGone(error, filename)
    })
    const path = join(folder, localName(filename, index))
    await rename(fetched, path)
    return path
  }
  try {
    const paths: string[] = []
    for (const [index, file] of files.entries()) paths.push(await fetchOne(file, index))
    const archive = attachments ? await fetchOne(attachments, files.length) : undefined
    return { folder, paths, attachments: archive, [Symbol.asyncDispose]: removeFolder }
  } catch (error) {
    await removeFolder()
    throw error
  }
}

/** Two people may convert one export at once: the first conversion that ends removes it. */
function explainGone(error: unknown, filename: string): unknown {
  const isGone = error instanceof Failure && (error.kind === 'notFound' || error.kind === 'conflict')
  if (!isGone) return error
  return new JobFailure(
    `The file ${shown(filename)} is gone: it was converted already, or removed after seven days. Upload it again.`,
    { final: true, cause: error },
  )
}

/** A name that is safe on every disk. Readers of exports go by the ending. */
export function localName(filename: string, index: number): string {
  const plain = filename.replace(/[^A-Za-z0-9._-]+/g, '-').slice(-60)
  return `${index + 1}-${plain}`
}

/**
 * Turns the problems of an export into a final failure with a report; returns other errors unchanged. Callers learn the names
 * of their files, and not in which folder of this machine they were.
 */
export function explainSource(error: unknown, { folder }: Pick<Inputs, 'folder'>): unknown {
  if (!(error instanceof SourceError)) return error
  const plain = (text: string) => text.replaceAll(`${folder}${sep}`, '')
  const problems = error.problems.map((problem) => ({
    ...problem,
    place: plain(problem.place),
    message: plain(problem.message),
  }))
  const lines = problems
    .slice(0, MAX_LISTED)
    .map(({ place, column, message }) => [place, column, message].filter(Boolean).join(': '))
  const more = problems.length > MAX_LISTED ? ` The report lists all ${problems.length}.` : ''
  return new JobFailure(`The export cannot be converted as it is: ${lines.join('; ')}.${more}`, {
    final: true,
    problems: problems.map(({ place, column, message }) => ({ path: place, value: column ?? null, rule: message })),
    cause: error,
  })
}
