import { createManifestChecker } from '@plantroom/fpl/check-package'
import type { Entry } from '@plantroom/fpl/read-package'
import { JobFailure } from '../jobs/job-failure.ts'

/** Holds a manifest that is being written against the rules by which it will be read. */
export interface OwnCheck {
  item(item: object): void
  /** Throws when an import would refuse what was written. */
  end(): void
}

export function createOwnCheck(): OwnCheck {
  // Whether its files are there is known: they are written next, or the export fails.
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
        `The site holds what a package cannot, and an import would refuse it: ${first.message}${more}. Change it, then export again.`,
        { final: true, problems },
      )
    },
  }
}

const WRITTEN: Omit<Entry, 'path'> = { index: 0, method: 'stored', offset: 0, compressedSize: 0, size: 0, crc32: 0 }
