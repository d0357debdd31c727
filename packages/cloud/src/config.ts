import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { LOG_LEVELS, type LogLevel } from '@plantroom/base/log'
import { ALLOW_PLAIN_MQTT, isPlainToAnotherMachine, plainBrokerProblem } from '@plantroom/contract/broker-url'
import { readSmtpUrl, type SmtpSettings } from './mail/index.ts'

export interface CloudConfig {
  folder: string
  host: string
  port: number
  mqttPort: number
  publicUrl: string | undefined
  tls: { cert: Buffer; key: Buffer } | undefined
  databaseUrl: string | undefined
  mqttUrl: string | undefined
  /** Unset: mail stays in the outbox. */
  smtp: SmtpSettings | undefined
  /** Where files are kept; `undefined`: in the data folder. */
  s3: S3Config | undefined
  adminToken: string | undefined
  replyTimeoutMs: number
  /** Between the attempts of an import. */
  retryDelayS: number
  logLevel: LogLevel
}

export interface S3Config {
  bucket: string
  region: string
  endpoint: string | undefined
  /** `undefined`: what the machine was given, such as the role of an instance. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** Reads all settings; throws one error that names every mistake. */
export function readConfig(env: Environment = process.env): CloudConfig {
  const problems: string[] = []

  function wholeNumber(name: string, fallback: number, min: number, max: number): number {
    const text = env[name]
    if (text === undefined || text === '') return fallback
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    problems.push(`${name}: ${text} is not a whole number from ${min} to ${max}`)
    return fallback
  }

  function url(name: string, schemes: readonly string[]): string | undefined {
    const text = env[name]
    if (!text) return undefined
    if (URL.canParse(text) && schemes.includes(new URL(text).protocol)) return text
    problems.push(`${name}: not an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`)
    return undefined
  }

  function file(name: string): Buffer | undefined {
    const path = env[name]
    if (!path) return undefined
    try {
      return readFileSync(path)
    } catch (error) {
      problems.push(`${name}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
      return undefined
    }
  }

  function smtp(publicUrl: string | undefined): SmtpSettings | undefined {
    if (!env.SMTP_URL) return undefined
    try {
      return readSmtpUrl(env.SMTP_URL, publicUrl)
    } catch (error) {
      problems.push(`SMTP_URL: ${(error as Error).message}`)
      return undefined
    }
  }

  const cert = file('PLANTROOM_TLS_CERT')
  const key = file('PLANTROOM_TLS_KEY')
  if (Boolean(env.PLANTROOM_TLS_CERT) !== Boolean(env.PLANTROOM_TLS_KEY)) {
    problems.push('PLANTROOM_TLS_CERT and PLANTROOM_TLS_KEY: set both or none')
  }
  if (cert && key) {
    try {
      createSecureContext({ cert, key })
    } catch (error) {
      const reason = (error as Error).message
      problems.push(`PLANTROOM_TLS_CERT and PLANTROOM_TLS_KEY: not a certificate with its key in PEM form (${reason})`)
    }
  }
  function s3(): S3Config | undefined {
    const endpoint = url('S3_ENDPOINT', ['http:', 'https:'])
    const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
    if (Boolean(accessKeyId) !== Boolean(secretAccessKey)) {
      problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both or none')
    }
    const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
    if (bucket) return { bucket, region: env.S3_REGION || 'us-east-1', endpoint, credentials }
    // Without it files would silently go to the disk.
    if (env.S3_ENDPOINT || env.S3_REGION || credentials)
      problems.push('S3_BUCKET: missing, while other S3_ settings are there')
    return undefined
  }

  const adminToken = env.PLANTROOM_ADMIN_TOKEN || undefined
  if (adminToken !== undefined && adminToken.length < 16) {
    problems.push('PLANTROOM_ADMIN_TOKEN: shorter than 16 characters')
  }
  const logLevel = LOG_LEVELS.find((level) => level === (env.PLANTROOM_LOG_LEVEL || 'info'))
  if (!logLevel) problems.push(`PLANTROOM_LOG_LEVEL: ${env.PLANTROOM_LOG_LEVEL} is not one of ${LOG_LEVELS.join(', ')}`)

  const mqttUrl = url('MQTT_URL', ['mqtt:', 'mqtts:', 'ws:', 'wss:'])
  if (mqttUrl && isPlainToAnotherMachine(mqttUrl) && env[ALLOW_PLAIN_MQTT] !== '1') {
    problems.push(`MQTT_URL: ${plainBrokerProblem(mqttUrl)}`)
  }

  const publicUrl = url('PLANTROOM_PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '')
  const config: CloudConfig = {
    folder: resolve(env.PLANTROOM_DATA || '.plantroom'),
    host: env.PLANTROOM_HOST || '127.0.0.1',
    port: wholeNumber('PLANTROOM_PORT', 8080, 0, 65_535),
    mqttPort: wholeNumber('PLANTROOM_MQTT_PORT', 1883, 0, 65_535),
    publicUrl,
    tls: cert && key ? { cert, key } : undefined,
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    mqttUrl,
    s3: s3(),
    smtp: smtp(publicUrl),
    adminToken,
    replyTimeoutMs: wholeNumber('PLANTROOM_REPLY_TIMEOUT_MS', 10_000, 1, 600_000),
    retryDelayS: wholeNumber('PLANTROOM_RETRY_DELAY_S', 60, 0, 86_400),
    logLevel: logLevel ?? 'info',
  }
  if (problems.length > 0) throw new Error(`Bad configuration: ${problems.join('; ')}`)
  return config
}
