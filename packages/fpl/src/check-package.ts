import { createManifestChecker } from './check/checker.ts'
import { invalidManifest, type Problem, problemAt } from './check/problems.ts'
import { checkFiles } from './content/check-files.ts'
import { openPackage, readManifest } from './read-package.ts'
import { PackageRefused } from './refusal.ts'

export { createManifestChecker } from './check/checker.ts'
export type { Problem } from './check/problems.ts'
export { show } from './check/problems.ts'

/** The result of checking a package. Counts are 0 if the manifest could not be read to its end. */
export interface PackageReport {
  readonly valid: boolean
  /** Why the package is invalid, worded as the contract says; null if it is valid. */
  readonly message: string | null
  /** Problems in document order, at most 10,000. For invalid JSON, the position of the syntax error. */
  readonly problems: readonly Problem[]
  /** The number of problems, including those not listed. */
  readonly problemCount: number
  readonly tickets: number
  readonly comments: number
  readonly attachments: number
}

/** Progress of a check: `done` of `total` bytes in the current stage. */
export interface CheckProgress {
  readonly stage: 'manifest' | 'files'
  readonly done: number
  readonly total: number
}

export interface CheckOptions {
  /** Number of threads that read the files. Defaults to 1. */
  workers?: number
  onProgress?(progress: CheckProgress): void
  signal?: AbortSignal
}

// No rule looks past the first 255 characters of a text, so keeping more would waste memory.
const LONGEST_TEXT_BYTES = 65_536

/**
 * Checks a whole package: its structure, the manifest and its rules, and the content of every file that the manifest
 * mentions. Throws only if there is no file to check or `signal` is aborted.
 */
export async function checkPackage(path: string, options: CheckOptions = {}): Promise<PackageReport> {
  const { workers = 1, onProgress = () => {}, signal } = options
  let counts = { tickets: 0, comments: 0, attachments: 0 }
  try {
    using opened = openPackage(path)
    const checker = createManifestChecker(opened.archive.find)
    await readManifest(opened, checker, {
      cutTextsOver: LONGEST_TEXT_BYTES,
      onProgress: (done) => onProgress({ stage: 'manifest', done, total: opened.manifest.size }),
      ...(signal && { signal }),
    })
    const { problems, problemCount, mentioned, ...counted } = checker.findings()
    counts = counted
    // The author will rewrite an invalid manifest anyway, so report its problems now instead of reading gigabytes of
    // files first.
    if (problemCount > 0) return { valid: false, message: invalidManifest(problems), problems, problemCount, ...counts }

    const files = opened.archive.files.filter((file) => mentioned.has(file))
    const total = files.reduce((sum, { size }) => sum + size, 0)
    await checkFiles(path, files, {
      workers,
      onProgress: (done) => onProgress({ stage: 'files', done, total }),
      ...(signal && { signal }),
    })
    return { valid: true, message: null, problems, problemCount, ...counts }
  } catch (error) {
    if (!(error instanceof PackageRefused)) throw error
    const problems = error.detail === undefined ? [] : [problemAt('manifest', error.detail)]
    return { valid: false, message: error.message, problems, problemCount: problems.length, ...counts }
  }
}
