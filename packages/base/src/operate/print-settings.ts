/** A setting as anyone may see it. */
export interface ShownSetting {
  name: string
  /** Masked; `null` when the setting is not set. */
  value: string | null
  default: string | null
  origin: string | null
}

interface Shown {
  file: string | undefined
  settings: readonly ShownSetting[]
  problems: readonly string[]
  warnings: readonly string[]
  /** Also what is not set. */
  isComplete: boolean
}

/** The settings for people: what is set and where, then what is wrong. */
export function printSettings({ file, settings, problems, warnings, isComplete }: Shown): string {
  const rows = settings.filter(({ value }) => isComplete || value !== null)
  const width = Math.max(0, ...rows.map(({ name }) => name.length))
  const lines = rows.map(({ name, value, default: usual, origin }) => {
    const shown = value === null ? (usual === null ? '(unset)' : `${usual} (default)`) : `${value}  [${origin}]`
    return `${name.padEnd(width)}  ${shown}`
  })
  return [
    file === undefined ? 'no file of settings; everything comes from the environment' : `file: ${file}`,
    ...(lines.length > 0 ? lines : ['nothing is set']),
    ...warnings.map((text) => `warning: ${text}`),
    ...problems.map((text) => `mistake: ${text}`),
    problems.length === 0
      ? 'the settings are valid'
      : `${problems.length} ${problems.length === 1 ? 'mistake' : 'mistakes'}`,
  ].join('\n')
}
