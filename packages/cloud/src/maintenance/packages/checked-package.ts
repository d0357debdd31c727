import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkPackage, type PackageReport } from '@plantroom/fpl/check-package'
import { LIMITS } from '@plantroom/fpl/limits'
import { archiveRefused, type OpenPackage, openPackage } from '@plantroom/fpl/read-package'
import type { Db } from '../../platform/db/database.ts'
import { type FileStore, type PackageKey, packageKey } from '../../platform/files/index.ts'
import { JobFailure, type JobTools } from '../../platform/jobs/index.ts'
import { isTurnedOn } from './match-store.ts'
import { withExternalIds } from './problem-rows.ts'

export interface PackageDeps {
  db: Db
  files: FileStore
  /** Folder for packages while they are read. */
  folder: string
  /** Number of threads that check the files of a package; 1 by default. */
  threads?: number
}

export interface CheckedPackage extends AsyncDisposable {
  readonly opened: OpenPackage
  readonly report: PackageReport
}

export const TURNED_OFF = 'Maintenance Requests are turned off for this site: turn them on, then start again'

/**
 * Fetches the version of the package that the job was accepted for and checks all of it. Throws a final `JobFailure` with
 * all problems when the package is invalid: another attempt could not succeed.
 */
export async function openChecked(tools: JobTools, deps: PackageDeps): Promise<CheckedPackage> {
  const { job, progress, signal } = tools
  if (!(await isTurnedOn(deps.db, job.siteId))) throw new JobFailure(TURNED_OFF, { final: true })
  const folder = await mkdtemp(join(deps.folder, 'package-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  try {
    const key = packageKey(job.organizationId, job.siteId, job.filename)
    const version = job.packageVersion ?? ''
    await refuseTooLarge(deps.files, key, version)
    const path = await deps.files.fetch(key, version, folder, { signal })
    const report = await checkPackage(path, {
      workers: deps.threads ?? 1,
      onProgress: ({ stage, done, total }) => progress({ stage: `checking ${stage}`, done, total }),
      signal,
    })
    if (!report.valid) {
      const problems = await withExternalIds(path, report.problems, signal)
      throw new JobFailure(report.message ?? 'The package is not valid', { final: true, problems })
    }
    const opened = openPackage(path)
    return {
      opened,
      report,
      async [Symbol.asyncDispose]() {
        opened[Symbol.dispose]()
        await removeFolder()
      },
    }
  } catch (error) {
    await removeFolder()
    throw error
  }
}

/** Rejects a package above the limit before fetching it: a bucket accepts uploads of any size. */
async function refuseTooLarge(files: FileStore, key: PackageKey, version: string): Promise<void> {
  const found = await files.stat(key)
  if (found?.version !== version || found.size <= LIMITS.packageBytes) return
  throw new JobFailure(archiveRefused('the package exceeds 5 GB').message, { final: true, problems: [] })
}
