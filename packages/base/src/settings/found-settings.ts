/** What the readers of settings need to know of one; the contract declares more. */
export interface SettingEntry {
  /** Dotted path in the file. */
  place?: string
  kind: string
  secret?: string
}

/** Settings by the name of their environment variable. */
export type Entries = Readonly<Record<string, SettingEntry>>

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings of a program, with where each comes from. */
export interface FoundSettings {
  /** By the name of the environment variable, as text. */
  values: Environment
  /** Where a value comes from: `the environment`, a line of the file, or a file with a secret. */
  origins: Readonly<Record<string, string>>
  /** What a message calls a setting: its variable, or its line and key in the file. */
  labels: Readonly<Record<string, string>>
  /** The file that was read. */
  file: string | undefined
  problems: readonly string[]
  warnings: readonly string[]
}

/** Settings of which only the environment is known. */
export const onlyEnvironment = (env: Environment): FoundSettings => ({
  values: env,
  origins: {},
  labels: {},
  file: undefined,
  problems: [],
  warnings: [],
})

/** Names before the colon with which every message about settings begins: `A_NAME: …` or `A_NAME and B_NAME: …`. */
const NAMES = /^[A-Z][A-Z0-9_]+(?:(?:, | and )[A-Z][A-Z0-9_]+)*(?=: )/

/** One error with every problem. Each names the place of its setting instead of the variable, if it is in a file. */
export function configurationError({ labels, problems: found }: FoundSettings, problems: readonly string[]): Error {
  const placed = problems.map((problem) =>
    problem.replace(NAMES, (names) => names.replace(/[A-Z][A-Z0-9_]+/g, (name) => labels[name] ?? name)),
  )
  return new BadConfiguration([...found, ...placed])
}

/** The settings cannot be used. */
export class BadConfiguration extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`Bad configuration: ${problems.join('; ')}`)
    this.problems = problems
  }
}
