import type { Completes, OptionTable } from '../command.ts'

/** An argument of a verb. Optional ones come after the others, and only the last one may be repeated. */
export interface Argument {
  name: string
  about?: string
  optional?: true
  repeated?: true
  choices?: readonly string[]
  completes?: Completes
}

/** What a person can type, without what it does. Help, reference, completion and man page derive from it. */
export interface VerbReference {
  /** What it does, for example `list sites`. */
  about: string
  arguments: readonly Argument[]
  options: OptionTable
  /** Options that the synopsis shows, because one cannot do without them. */
  synopsis?: string
  /** The shape of the result with `--json`. */
  json?: string
  examples?: readonly string[]
}

/** The groups of commands, in the order of the help. */
export const GROUPS = {
  run: 'Run Plantroom',
  administer: 'Administer an installation, with the admin token',
  control: 'Control equipment, with an API key',
  history: 'See what happened',
  requests: 'Maintenance requests',
  self: 'This command line',
  develop: 'For developers of Plantroom',
} as const

export interface CommandReference {
  group: keyof typeof GROUPS
  about: string
  /** By name; a command without verbs has one with an empty name. */
  verbs: Readonly<Record<string, VerbReference>>
  /** Paragraphs after the verbs. */
  notes?: string
}
