import type { ExportTargetName } from '@plantroom/contract/conversion'
import type { ManifestAttachment, ManifestTicket } from '@plantroom/fpl/manifest'
import type { Account } from '../account.ts'

/** Says what became of every value of a package that has no place in the other system. */
export type ExportAccount = Account<{ readonly became: string }, ExportTotal>

/** What became of the values of a field. `became` completes "the values became …". */
export interface ExportTotal {
  readonly column: string
  values: number
  readonly became: string
}

/** A file of the export. */
export interface ExportedFile {
  /** In the folder of the export: `attachments/f12/photo.jpg`. */
  readonly path: string
  /** As people know it: `photo.jpg`. */
  readonly name: string
  readonly contentType: string | undefined
}

/** How to write tables. Targets ignore what does not concern them. */
export interface TargetOptions {
  readonly separator: ',' | ';'
  /** Begins tables with a byte-order mark, by which older spreadsheets recognize UTF-8. */
  readonly byteOrderMark: boolean
  /** Where the folder of the export will be found by the importing system, with a slash at its end. */
  readonly baseUrl: string
}

export interface TargetDeps {
  readonly account: ExportAccount
  readonly options: TargetOptions
  /** Gives a file its path in the export. */
  fileOf(attachment: ManifestAttachment): ExportedFile
}

/** Turns requests into the text of files. Pure: the caller writes the files. */
export interface TargetWriter {
  /** Receives every request before `begin`, where the head of a file depends on all of them. */
  survey?(ticket: ManifestTicket): void
  /** Returns the beginning of each file. */
  begin(): readonly string[]
  /** Returns what a request adds to each file. `place` is for the account: `request WO-1`. */
  write(place: string, ticket: ManifestTicket): readonly string[]
}

/** A system that reads what we write. */
export interface ExportTarget {
  readonly name: ExportTargetName
  /** For people: `Jira`. */
  readonly label: string
  /** Names of the files, beside the folder `attachments`. */
  readonly files: readonly string[]
  open(deps: TargetDeps): TargetWriter
}
