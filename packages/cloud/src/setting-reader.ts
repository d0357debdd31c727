import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { LOG_LEVELS, type LogLevel } from '@plantroom/base/log'
import type { Environment } from '@plantroom/base/settings'
import { CLOUD_SETTINGS, type Setting } from '@plantroom/contract/settings'

/** The settings as text by the names of their variables, and the problems found in it so far. */
export interface Reader {
  env: Environment
  problems: string[]
}

export type Name = keyof typeof CLOUD_SETTINGS

/** The text of a setting, or its default. */
export function readText({ env }: Reader, name: Name): string {
  return env[name] || defaultOf(name)
}

function defaultOf(name: Name): string {
  const { default: usual = '' }: Setting = CLOUD_SETTINGS[name]
  return usual
}

/** Reads a whole number within the bounds of the setting. */
export function readInteger({ env, problems }: Reader, name: Name, fallback = Number(defaultOf(name))): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const { min = 0, max = Number.MAX_SAFE_INTEGER }: Setting = CLOUD_SETTINGS[name]
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  problems.push(`${name}: ${text} is not a whole number from ${min} to ${max}`)
  return fallback
}

export function readUrl({ env, problems }: Reader, name: Name, schemes: readonly string[]): string | undefined {
  const text = env[name]
  if (!text) return undefined
  if (URL.canParse(text) && schemes.includes(new URL(text).protocol)) return text
  problems.push(`${name}: not an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`)
  return undefined
}

export function readFile({ env, problems }: Reader, name: Name): Buffer | undefined {
  const path = env[name]
  if (!path) return undefined
  try {
    return readFileSync(path)
  } catch (error) {
    problems.push(`${name}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    return undefined
  }
}

const SECRET_LENGTH = 32

export function readSecret({ env, problems }: Reader, name: Name): string | undefined {
  const token = env[name] || undefined
  if (token !== undefined && token.length < SECRET_LENGTH) {
    problems.push(`${name}: shorter than ${SECRET_LENGTH} characters; "openssl rand -base64 32" makes one`)
  }
  return token
}

export function readNetworks({ env, problems }: Reader, name: Name): string[] {
  const listed = (env[name] ?? '').split(/[\s,]+/).filter((text) => text !== '')
  for (const text of listed) {
    if (!isNetwork(text)) {
      problems.push(`${name}: ${text} is not an IP address or a network such as 10.0.0.0/8`)
    }
  }
  return listed
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

export function readLogLevel(reader: Reader): LogLevel {
  const text = readText(reader, 'PLANTROOM_LOG_LEVEL')
  const level = LOG_LEVELS.find((known) => known === text)
  if (!level) reader.problems.push(`PLANTROOM_LOG_LEVEL: ${text} is not one of ${LOG_LEVELS.join(', ')}`)
  return level ?? 'info'
}
