/** One setting of a program: its names, its values and what it means. */
export interface Setting {
  /** Dotted path in `plantroom.yaml`; absent for a setting that only the environment has. */
  place?: string
  kind: 'text' | 'integer' | 'url' | 'path' | 'list' | 'switch' | 'choice'
  /** Bounds of an integer. */
  min?: number
  max?: number
  /** Values of a choice. */
  choices?: readonly string[]
  /** The value that an absent setting stands for. */
  default?: string
  /** What an absent setting stands for, where that is not a value, in Markdown. */
  without?: string
  /** Of a number. */
  unit?: 'ms' | 's' | 'GB' | 'days'
  /** `all`: never shown. `credentials`: an address that may contain a name, a password or options. */
  secret?: 'all' | 'credentials'
  /** One sentence in Markdown, without a full stop. */
  meaning: string
  /** Further sentences in Markdown. */
  more?: string
  /** The worker reads it, too. */
  worker?: true
  /** The flag of the command line that overrides it. */
  flag?: string
}

/** Settings by the name of their environment variable. */
export type SettingTable = Readonly<Record<string, Setting>>

/** The ending of a variable or key that names a file with the secret instead of the secret itself. */
export const FILE_ENDING = '_FILE'

const MASK = '***'

/** A value as it may be shown to anyone: no secret, no name and no option of an address. */
export function masked({ kind, secret }: Setting, value: string): string {
  if (secret === 'all') return MASK
  if (secret !== 'credentials' && kind !== 'url') return value
  if (!URL.canParse(value)) return MASK
  const { protocol, username, password, host, pathname, search, hash } = new URL(value)
  const login = username || password ? `${MASK}@` : ''
  return `${protocol}//${login}${host}${pathname === '/' ? '' : pathname}${search || hash ? `?${MASK}` : ''}`
}
