import { LIMITS } from '@plantroom/fpl/limits'
import { JobFailure } from '../jobs/index.ts'
import type { SiteTotals } from '../tickets/export-store.ts'

const WHAT_TO_DO = 'Move such a site with a backup of the database and of the files instead.'
const WRITER_SAYS = 'The package cannot be written: '

/** Says before anything is written that a site can never fit. What only its writing shows, the writer finds. */
export function refuseTooLarge({ files, fileBytes, textBytes }: SiteTotals): void {
  // One of them is the manifest.
  const most = LIMITS.files - 1
  if (files > most) refuse(`its requests have ${count(files)} different files, and a package holds ${count(most)}`)
  if (textBytes > LIMITS.fileBytes) {
    refuse(`its requests and comments are ${megabytes(textBytes)} of text, and a manifest holds 100 MB`)
  }
  if (fileBytes + textBytes > LIMITS.allFilesBytes) {
    refuse(`its files are ${megabytes(fileBytes)}, and a package holds 10 GB of files`)
  }
}

/** What to tell when the writer stopped at a limit; `undefined` for any other error. */
export function tooLarge(error: unknown): JobFailure | undefined {
  if (!(error instanceof Error) || !error.message.startsWith(WRITER_SAYS)) return undefined
  return failure(error.message.slice(WRITER_SAYS.length))
}

function refuse(why: string): never {
  throw failure(why)
}

function failure(why: string): JobFailure {
  return new JobFailure(`The site does not fit into one package: ${why}. ${WHAT_TO_DO}`, { final: true })
}

const count = (number: number) => number.toLocaleString('en')
const megabytes = (bytes: number) => `${count(Math.ceil(bytes / 1e6))} MB`
