import { createManifestChecker, invalidManifest } from './check/checker.ts'
import type { Problem } from './check/problem.ts'
import { problemAt } from './check/problems.ts'
import { checkFiles } from './content/check-files.ts'
import { openPackage } from './open-package.ts'
import { readManifest } from './read-manifest.ts'
import { PackageRefused } from './refusal.ts'

/** The result of checking a package. Counts are 0 where the manifest could not be read to its end. */
export interface PackageReport {
  readonly valid: boolean
  /** Why it is not valid, in the one message of the contract; null for a valid one. */
  readonly message: string | null
  /** The mistakes of the manifest in order, at most 10,000; for a manifest that is no JSON, where it is wrong. */
  readonly problems: readonly Problem[]
  /** How many there are in all. */
  readonly problemCount: number
  readonly tickets: number
  readonly comments: number
  readonly attachments: number
}

/** How far a check has come: `done` of the `total` bytes of its stage. */
export interface CheckProgress {
  readonly stage: 'manifest' | 'files'
  readonly done: number
  readonly total: number
}

export interface CheckOptions {
  /** Threads that read the files; one when missing. */
  workers?: number
  onProgress?(progress: CheckProgress): void
  signal?: AbortSignal
}

// The longest text that a rule asks about has 255 characters: what comes later in one is not worth its memory.
const LONGEST_TEXT_BYTES = 65_536

/**
 * The whole check of a package: its structure, the manifest, its rules, and the content of every file that the manifest
 * names. Throws only where there is no file to check, and when `signal` ends it.
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
    // A manifest with mistakes will be written again: an answer now is worth more than a complete one later.
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
