import { createManifestChecker } from '@plantroom/fpl/check-package'
import { LIMITS } from '@plantroom/fpl/limits'
import type { Entry } from '@plantroom/fpl/read-package'
import { JobFailure } from '../../platform/jobs/index.ts'
import type { SiteTotals } from '../requests/index.ts'

const REMEDY = 'Move a site of this size with a backup of the database and the files.'
const WRITER_PREFIX = 'The package cannot be written: '

/** Throws before anything is written when a site cannot fit into a package. The writer finds what only writing shows. */
export function refuseTooLarge({ files, fileBytes, textBytes }: SiteTotals): void {
  // One of the files is the manifest.
  const most = LIMITS.files - 1
  if (files > most) throw doesNotFit(`its requests have ${count(files)} different files; the limit is ${count(most)}`)
  if (textBytes > LIMITS.fileBytes) {
    throw doesNotFit(`its requests and comments have ${megabytes(textBytes)} of text; the limit is 100 MB`)
  }
  if (fileBytes + textBytes > LIMITS.allFilesBytes) {
    throw doesNotFit(`its files have ${megabytes(fileBytes)}; the limit is 10 GB`)
  }
}

/** Converts the error of a writer that reached a limit; returns undefined for any other error. */
export function explainWriterLimit(error: unknown): JobFailure | undefined {
  if (!(error instanceof Error) || !error.message.startsWith(WRITER_PREFIX)) return undefined
  return doesNotFit(error.message.slice(WRITER_PREFIX.length))
}

function doesNotFit(reason: string): JobFailure {
  return new JobFailure(`The site does not fit into one package: ${reason}. ${REMEDY}`, { final: true })
}

const count = (number: number) => number.toLocaleString('en')
const megabytes = (bytes: number) => `${count(Math.ceil(bytes / 1e6))} MB`

/** Checks a manifest, while it is written, with the rules of an import. */
interface ManifestCheck {
  item(item: object): void
  /** Throws when an import would reject the manifest. */
  end(): void
}

const WRITTEN: Omit<Entry, 'path'> = { index: 0, method: 'stored', offset: 0, compressedSize: 0, size: 0, crc32: 0 }

export function createManifestCheck(): ManifestCheck {
  // Every file counts as present: the export writes it next or fails.
  const checker = createManifestChecker((path) => ({ ...WRITTEN, path }))
  checker.field('version', '1.0')
  let index = 0

  return {
    item(item) {
      checker.ticket(index, item)
      index += 1
    },
    end() {
      checker.ticketsEnd?.(index)
      const { problems, problemCount } = checker.findings()
      const [first] = problems
      if (!first) return
      const more = problemCount > 1 ? ` (and ${problemCount - 1} more)` : ''
      throw new JobFailure(
        `An import would reject this export: ${first.message}${more}. Correct the request, then export again.`,
        { final: true, problems },
      )
    },
  }
}
