import {
  CLI_SETTINGS,
  CLOUD_LIMITS,
  CLOUD_MAIN,
  CLOUD_SETTINGS,
  CLOUD_SIGN_IN,
  EDGE_SETTINGS,
  type Setting,
  type SettingTable,
  SIMULATOR_SETTINGS,
} from '@plantroom/contract/settings'
import { table } from './table.ts'

/** The tables of docs/reference/settings.md. */
export const settingsTables: Readonly<Record<string, () => string>> = {
  'cloud-settings': () => settingsTable(CLOUD_MAIN),
  'sign-in-settings': () => settingsTable(CLOUD_SIGN_IN),
  'limit-settings': () => settingsTable(CLOUD_LIMITS),
  'edge-settings': () => settingsTable(EDGE_SETTINGS),
  'simulator-settings': () => settingsTable(SIMULATOR_SETTINGS),
  'command-line-settings': commandLineTable,
  'worker-settings': workerSettings,
}

function settingsTable(settings: SettingTable): string {
  const rows = Object.entries(settings)
  const hasPlaces = rows.some(([, { place }]) => place !== undefined)
  return table(
    ['name', ...(hasPlaces ? ['in `plantroom.yaml`'] : []), 'default', 'meaning'],
    rows.map(([name, setting]) => [
      `\`${name}\``,
      ...(hasPlaces ? [setting.place === undefined ? '' : `\`${setting.place}\``] : []),
      usualValue(setting),
      meaningOf(setting),
    ]),
  )
}

const usualValue = ({ default: usual, without = '' }: Setting) => (usual === undefined ? without : `\`${usual}\``)

function meaningOf({ meaning, more, kind, min, max, unit }: Setting): string {
  const range = kind === 'integer' && max !== 65_535 ? `, ${min} to ${max}${unit ? ` ${unit}` : ''}` : ''
  return more === undefined ? meaning + range : `${meaning}${range}. ${more}`
}

function commandLineTable(): string {
  const rows = Object.entries<Setting>(CLI_SETTINGS).map(([name, { flag, meaning }]) => [
    `\`${name}\``,
    flag === undefined ? '' : `\`${flag}\``,
    meaning,
  ])
  return table(['name', 'flag', 'meaning'], rows)
}

function workerSettings(): string {
  const names = Object.entries<Setting>(CLOUD_SETTINGS).flatMap(([name, { worker }]) => (worker ? [`\`${name}\``] : []))
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
