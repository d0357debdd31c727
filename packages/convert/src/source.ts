import type { SourceName, Target } from '@plantroom/contract/conversion'
import type { ConversionNote } from '@plantroom/contract/conversion-notes'
import type { TicketState } from '@plantroom/contract/request-fields'

/** A file of a source. */
export interface SourceFile {
  /** As people know it, for example `photo.jpg`. */
  readonly name: string
  readonly contentType?: string | undefined
  /** Paths under which the file may be found beside the source, the best first. */
  readonly paths: readonly string[]
  /** Reads a file that is part of the source itself. */
  readonly read?: () => Promise<Uint8Array>
}

export interface SourcePerson {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

export interface SourceComment {
  /** Where it stands, for messages: `ticket 35, comment 2`. */
  readonly place: string
  readonly author?: SourcePerson | undefined
  /** As written in the source: the mapping knows the time zone. */
  readonly createdAt?: string | undefined
  readonly text: string
  readonly isHtml: boolean
  readonly files: readonly SourceFile[]
}

/** One request as the other system describes it, before any mapping. */
export interface SourceRecord {
  /** Where it stands, for messages: `row 12`, `issue PLANT-3`. */
  readonly place: string
  /** Plain text by column, empty values left out. HTML has been turned into text. */
  readonly values: ReadonlyMap<string, string>
  /** In order. */
  readonly comments: readonly SourceComment[]
  readonly files: readonly SourceFile[]
  /**
   * The state that the source proves by something else than the name of a status: a category, or a mark that it is closed.
   * It counts where the mapping does not list the status.
   */
  readonly evidence?: TicketState | undefined
}

/** Something that could not be read as it stands. A conversion with such problems writes no package. */
export interface SourceProblem {
  /** `row 12`. */
  readonly place: string
  /** The column, where one is to blame. */
  readonly column?: string | undefined
  /** What is wrong and what to do. */
  readonly message: string
}

/** An opened export. Reading it twice gives the same records. */
export interface Source extends AsyncDisposable {
  /** What was assumed to read it. */
  readonly notes?: readonly ConversionNote[]
  /** All columns in the order of the source, including those without a value, where the source has such a list. */
  readonly columns?: readonly string[]
  /** Yields records one at a time; throws `SourceError` for a source that cannot be read on. */
  records(): AsyncIterable<SourceRecord>
}

/** How to read a source whose own marks do not say it. Sources ignore what does not concern them. */
export interface OpenOptions {
  /** A name of the WHATWG encoding standard, for example `windows-1257`. */
  readonly encoding?: string | undefined
  /** The name of a sheet. */
  readonly sheet?: string | undefined
}

/** Opens the exports of one system. */
export interface SourceKind {
  readonly name: SourceName
  /** For people: `Zendesk`. */
  readonly label: string
  /** `inputs` are paths of files: the export, then whatever else the system exports beside it. */
  open(inputs: readonly string[], options?: OpenOptions): Promise<Source>
  /** Returns the name under which records have a column of the files, where files in several languages are read. */
  columnOf?(header: string): string
  /** Columns whose meaning is known, with the values that states and priorities have there. */
  readonly defaultMapping?: {
    readonly columns: Readonly<Record<string, Target>>
    readonly states?: Readonly<Record<string, string>>
    readonly priorities?: Readonly<Record<string, 0 | 1 | 2 | 3 | null>>
    readonly timeZone?: string
  }
}

/** A source that cannot be read, with all problems that were found. */
export class SourceError extends Error {
  readonly problems: readonly SourceProblem[]

  constructor(problems: readonly SourceProblem[]) {
    super(problems.map(({ place, column, message }) => [place, column, message].filter(Boolean).join(': ')).join('; '))
    this.name = 'SourceError'
    this.problems = problems
  }
}
