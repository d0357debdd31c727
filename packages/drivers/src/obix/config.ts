import type { PointConfig, Problem } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { type Fields, fieldsOf } from '../fields.ts'
import { folderOf, requestPath, resolveHref } from './address.ts'

const MODES = ['batch', 'watch', 'get'] as const
const WRITES = ['put', 'writePoint'] as const
const VALUE_TYPES = ['real', 'int', 'bool'] as const
export type ValueType = (typeof VALUE_TYPES)[number]

export interface ObixSettings {
  /** The address of the lobby. */
  url: string
  credentials: { username: string; password: string } | undefined
  /** A PEM file with certificates to trust instead of the system's. */
  ca: string | undefined
  mode: (typeof MODES)[number]
  timeoutMs: number
  maxBodyBytes: number
}

export interface ObixPoint {
  /** The name in messages. */
  name: string
  writable: boolean
  /** The path on the lobby's server, including the query. */
  path: string
  write: (typeof WRITES)[number]
  /** `undefined` for the type that the server shows. */
  type: ValueType | undefined
}

export interface ObixConfig {
  settings: ObixSettings
  points: readonly ObixPoint[]
}

const DEFAULT_TIMEOUT_MS = 5000
const MIB = 1_048_576

/** Checks and parses a commissioned connection. The config is complete only if there are no problems. */
export function parseConfig(connection: { settings: Record<string, unknown>; datapoints: readonly PointConfig[] }): {
  config: ObixConfig
  problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const settings = parseSettings(connection.settings, problems)
  const points = connection.datapoints.flatMap((datapoint, index) => {
    const point = parsePoint(datapoint, `datapoints[${index}].data`, settings.url, problems)
    return point ? [point] : []
  })
  return { config: { settings, points }, problems }
}

function parseSettings(record: Record<string, unknown>, problems: Problem[]): ObixSettings {
  const fields = fieldsOf(record, 'settings', problems)
  const url = parseUrl(record, fields)
  const username = hiddenText(record, fields, 'username')
  const password = hiddenText(record, fields, 'password')
  const ca = hiddenText(record, fields, 'ca')
  const settings = {
    url: url?.href ?? '',
    credentials: username === undefined ? undefined : { username, password: password ?? '' },
    ca,
    mode: fields.oneOf('mode', MODES, 'batch') ?? 'batch',
    timeoutMs: fields.integer('timeoutMs', 1, 60_000, DEFAULT_TIMEOUT_MS) ?? DEFAULT_TIMEOUT_MS,
    maxBodyBytes: fields.integer('maxBodyBytes', 1024, 64 * MIB, MIB) ?? MIB,
  }
  // The edge polls; the driver only checks the field.
  fields.number('pollSeconds', 0.1, 86_400, 1)
  fields.rejectUnknown()

  if (username?.includes(':'))
    fields.problem('username', 'must not contain a colon, which basic authentication does not allow')
  if (username === undefined && password !== undefined) fields.problem('password', 'requires a username')
  if (ca !== undefined && url?.protocol === 'http:') fields.problem('ca', 'requires https in url')
  return settings
}

const URL_RULE = 'must be the address of the lobby, for example http://10.0.0.5/obix/'

function parseUrl(record: Record<string, unknown>, fields: Fields): URL | undefined {
  const text = hiddenText(record, fields, 'url')
  if (record.url === undefined) fields.problem('url', `is missing: it ${URL_RULE}`)
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  // The text is not shown: it may contain a password.
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) fields.problem('url', URL_RULE)
  else if (url.username || url.password)
    fields.problem('url', 'must not contain credentials: set username and password')
  else if (url.search || url.hash) fields.problem('url', `${URL_RULE}, without ? and #`)
  else return url
  return undefined
}

/** Parses text that may contain spaces. No message shows it, because it may be a secret. */
function hiddenText(record: Record<string, unknown>, fields: Fields, name: string): string | undefined {
  const value = record[name]
  // Read the field, so that it counts as known; its own value is always allowed.
  fields.optionalOneOf(name, [value as string])
  // A password may be empty.
  if (typeof value === 'string' && (value !== '' || name === 'password')) return value
  if (value !== undefined) fields.problem(name, 'must be text')
  return undefined
}

function parsePoint(datapoint: PointConfig, path: string, url: string, problems: Problem[]): ObixPoint | undefined {
  const fields = fieldsOf(datapoint.data, path, problems)
  const href = fields.text('href')
  const write = fields.oneOf('write', WRITES, 'put')
  const type = fields.optionalOneOf('type', VALUE_TYPES)
  fields.rejectUnknown()

  if (href === undefined || write === undefined || url === '') return undefined
  const base = folderOf(new URL(url))
  const address = resolveHref(href, base)
  if (!address) fields.problem('href', 'is not a valid address')
  else if (address.origin !== base.origin)
    fields.problem('href', `must be on the server of the lobby, ${excerpt(base.origin)}`)
  else if (address.username || address.password) fields.problem('href', 'must not contain credentials')
  else if (address.hash) fields.problem('href', 'must not contain #')
  else {
    return {
      name: excerpt(datapoint.name),
      writable: datapoint.accessType !== 'READ',
      path: requestPath(address),
      write,
      type,
    }
  }
  return undefined
}
