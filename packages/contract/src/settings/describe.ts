import { masked, type Setting, type SettingTable } from './setting.ts'

/** A setting as anyone may see it. */
export interface SettingRow {
  name: string
  place: string | null
  /** Masked; `null` when the setting is not set. */
  value: string | null
  default: string | null
  /** Where the value comes from; `null` when the setting is not set. */
  origin: string | null
}

/** Every setting of a program, with its masked value and where that comes from. */
export function describeSettings(
  table: SettingTable,
  {
    values,
    origins,
  }: { values: Readonly<Record<string, string | undefined>>; origins: Readonly<Record<string, string>> },
): SettingRow[] {
  return Object.entries<Setting>(table).map(([name, setting]) => {
    const value = values[name]
    const isSet = value !== undefined && value !== ''
    return {
      name,
      place: setting.place ?? null,
      value: isSet ? masked(setting, value) : null,
      default: setting.default ?? null,
      origin: isSet ? (origins[name] ?? null) : null,
    }
  })
}

/** What must appear nowhere: the values of all secret settings. */
export function secretValues(table: SettingTable, values: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries<Setting>(table).flatMap(([name, { secret }]) => {
    const value = values[name]
    return secret && value ? [value] : []
  })
}
