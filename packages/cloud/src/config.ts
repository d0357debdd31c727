import { statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { openAuditKey } from '@plantroom/base/audit-key'
import { isEveryInterface } from '@plantroom/base/local-service'
import { type LogLevel, type LogStyle, readLogStyle } from '@plantroom/base/log'
import { type ServiceManager, takeServiceManager } from '@plantroom/base/service-manager'
import {
  CONFIG_VARIABLE,
  configurationError,
  type Environment,
  type FoundSettings,
  findSettings,
  NO_FILE,
  onlyEnvironment,
} from '@plantroom/base/settings'
import { readTraceSettings, type TraceSettings } from '@plantroom/base/trace'
import { ALLOW_PLAIN_MQTT, isPlainToAnotherMachine, plainBrokerProblem } from '@plantroom/contract/broker-url'
import { ALL_SETTINGS, CLOUD_SETTINGS } from '@plantroom/contract/settings'
import { type Limits, readLimits } from './limits-config.ts'
import { type OidcSettings, readOidc } from './oidc-config.ts'
import { readSink, type SinkSettings } from './organization/activity/index.ts'
import { readSmtpUrl, type SmtpSettings } from './platform/mail/index.ts'
import {
  type Reader,
  readFile,
  readInteger,
  readLogLevel,
  readNetworks,
  readSecret,
  readText,
  readUrl,
} from './setting-reader.ts'

export interface CloudConfig {
  folder: string
  host: string
  port: number
  mqttPort: number
  publicUrl: string | undefined
  tls: { cert: Buffer; key: Buffer } | undefined
  databaseUrl: string | undefined
  /** The address for LISTEN, when `databaseUrl` is a pooler that does not pass notifications on. */
  listenUrl: string | undefined
  mqttUrl: string | undefined
  /** How accounts at that broker follow the devices; `undefined` leaves them to the operator. */
  brokerAccounts: BrokerAccountsConfig | undefined
  /** `undefined` leaves mail in the outbox. */
  smtp: SmtpSettings | undefined
  /** The bucket for files; `undefined` stores them in the data folder. */
  s3: S3Config | undefined
  /** `undefined` lets people sign in with passwords only. */
  oidc: OidcSettings | undefined
  adminToken: string | undefined
  /** Still accepted after a restart with a new `adminToken`. */
  previousAdminToken: string | undefined
  /** The private key that signs the activity log; `undefined` for the one in the data folder. */
  activityKey: string | undefined
  /** Where the activity log is sent on to. */
  activitySink: SinkSettings | undefined
  /** Encrypts the secrets of authenticator apps, webhooks and export targets; `undefined` uses a key in the data folder. */
  factorKey: string | undefined
  /** Private networks that the webhooks and export targets of organizations may lead to. */
  webhookNetworks: readonly string[]
  /** The folder that sites may export to, as an absolute path; `undefined` offers none. */
  exportFolder: string | undefined
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[]
  replyTimeoutMs: number
  /** Between the attempts of an import. */
  retryDelayS: number
  logLevel: LogLevel
  logStyle: LogStyle
  /** `undefined` records no traces. */
  traces: TraceSettings | undefined
  /** How long a process that has to stop keeps serving, while load balancers turn to others. */
  drainS: number
  limits: Limits
  /** The same settings as an environment, for job processes. */
  environment: Environment
}

/** Mosquitto's dynamic security plugin, or a file for NATS at an absolute path. */
export type BrokerAccountsConfig = { kind: 'mosquitto' } | { kind: 'file'; path: string }

interface S3Config {
  bucket: string
  region: string
  endpoint: string | undefined
  /** `undefined` uses the credentials of the machine, for example the role of an instance. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/** Finds the settings of cloud and worker in the environment and in the file that it or the command line names. */
export function findCloudSettings(path?: string, env: Environment = process.env): Promise<FoundSettings> {
  return findSettings({ env, path, own: CLOUD_SETTINGS, all: ALL_SETTINGS })
}

/** Takes the address of the service manager that started this program out of the environment. */
export const ownServiceManager = (): ServiceManager | undefined => takeServiceManager(process.env)

/** Finds and reads all settings. Rejects with one error that lists every problem. */
export async function loadConfig(path?: string): Promise<CloudConfig> {
  const found = await findCloudSettings(path)
  for (const warning of found.warnings) process.stderr.write(`plantroom: warning: ${warning}\n`)
  return readConfig(found.values, found)
}

/** Reads all settings. Throws one error that lists every problem. */
export function readConfig(env: Environment = process.env, found: FoundSettings = onlyEnvironment(env)): CloudConfig {
  const reader: Reader = { env, problems: [] }
  const publicUrl = readUrl(reader, 'PLANTROOM_PUBLIC_URL', ['http:', 'https:'])?.replace(/(?<!\/)\/+$/, '')
  const replyTimeoutMs = readInteger(reader, 'PLANTROOM_REPLY_TIMEOUT_MS')
  const config: CloudConfig = {
    folder: resolve(readText(reader, 'PLANTROOM_DATA')),
    host: readText(reader, 'PLANTROOM_HOST'),
    port: readInteger(reader, 'PLANTROOM_PORT'),
    mqttPort: readInteger(reader, 'PLANTROOM_MQTT_PORT'),
    publicUrl,
    tls: readTls(reader),
    databaseUrl: readUrl(reader, 'DATABASE_URL', ['postgres:', 'postgresql:']),
    listenUrl: readUrl(reader, 'PLANTROOM_LISTEN_URL', ['postgres:', 'postgresql:']),
    mqttUrl: readBrokerUrl(reader),
    brokerAccounts: readBrokerAccounts(reader),
    s3: readS3(reader),
    smtp: readSmtp(reader, publicUrl),
    oidc: readOidc(reader, publicUrl),
    adminToken: readSecret(reader, 'PLANTROOM_ADMIN_TOKEN'),
    previousAdminToken: readPreviousAdminToken(reader),
    activityKey: readActivityKey(reader),
    activitySink: readActivitySink(reader),
    factorKey: readSecret(reader, 'PLANTROOM_FACTOR_KEY'),
    webhookNetworks: readNetworks(reader, 'PLANTROOM_WEBHOOK_PRIVATE'),
    exportFolder: readExportFolder(reader),
    trustedProxies: readNetworks(reader, 'PLANTROOM_TRUSTED_PROXIES'),
    replyTimeoutMs,
    retryDelayS: readInteger(reader, 'PLANTROOM_RETRY_DELAY_S'),
    logLevel: readLogLevel(reader),
    logStyle: readLogStyle(env, reader.problems),
    traces: readTraceSettings(env, reader.problems),
    drainS: readInteger(reader, 'PLANTROOM_DRAIN_S'),
    limits: readLimits(reader, replyTimeoutMs),
    // Job processes must not read a file that has changed since.
    environment: found.file === undefined ? env : { ...env, [CONFIG_VARIABLE]: NO_FILE },
  }
  if (found.problems.length + reader.problems.length > 0) throw configurationError(found, reader.problems)
  return config
}

function readTls(reader: Reader): CloudConfig['tls'] {
  const { env, problems } = reader
  const cert = readFile(reader, 'PLANTROOM_TLS_CERT')
  const key = readFile(reader, 'PLANTROOM_TLS_KEY')
  if (Boolean(env.PLANTROOM_TLS_CERT) !== Boolean(env.PLANTROOM_TLS_KEY)) {
    problems.push('PLANTROOM_TLS_CERT and PLANTROOM_TLS_KEY: set both or none')
  }
  if (!cert || !key) return undefined
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const reason = (error as Error).message
    problems.push(`PLANTROOM_TLS_CERT and PLANTROOM_TLS_KEY: not a certificate with its key in PEM form (${reason})`)
  }
  return { cert, key }
}

function readBrokerUrl(reader: Reader): string | undefined {
  const url = readUrl(reader, 'MQTT_URL', ['mqtt:', 'mqtts:', 'ws:', 'wss:'])
  if (url && isPlainToAnotherMachine(url) && reader.env[ALLOW_PLAIN_MQTT] !== '1') {
    reader.problems.push(`MQTT_URL: ${plainBrokerProblem(url)}`)
  }
  return url
}

function readBrokerAccounts({ env, problems }: Reader): BrokerAccountsConfig | undefined {
  const text = env.PLANTROOM_BROKER_ACCOUNTS
  if (!text) return undefined
  if (!env.MQTT_URL) {
    problems.push('PLANTROOM_BROKER_ACCOUNTS: set MQTT_URL, too; the embedded broker needs no accounts')
  }
  if (text === 'mosquitto') return { kind: 'mosquitto' }
  const path = text.startsWith('file:') ? text.slice('file:'.length) : ''
  if (!isAbsolute(path)) {
    problems.push(`PLANTROOM_BROKER_ACCOUNTS: ${text} is neither mosquitto nor file: with an absolute path`)
  }
  return { kind: 'file', path }
}

function readS3(reader: Reader): S3Config | undefined {
  const { env, problems } = reader
  const endpoint = readUrl(reader, 'S3_ENDPOINT', ['http:', 'https:'])
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (Boolean(accessKeyId) !== Boolean(secretAccessKey)) {
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: set both or none')
  }
  const credentials = accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
  if (bucket) return { bucket, region: readText(reader, 'S3_REGION'), endpoint, credentials }
  // Without this check, files would silently go to the disk.
  if (env.S3_ENDPOINT || env.S3_REGION || credentials) {
    problems.push('S3_BUCKET: missing, although other S3_ settings are present')
  }
  return undefined
}

function readSmtp({ env, problems }: Reader, publicUrl: string | undefined): SmtpSettings | undefined {
  if (!env.SMTP_URL) return undefined
  try {
    if (publicUrl === undefined && isEveryInterface(env.PLANTROOM_HOST ?? '')) {
      throw new Error(
        `set PLANTROOM_PUBLIC_URL, too: with PLANTROOM_HOST=${env.PLANTROOM_HOST}, links in mail would name an address that nobody can open`,
      )
    }
    return readSmtpUrl(env.SMTP_URL, publicUrl)
  } catch (error) {
    problems.push(`SMTP_URL: ${(error as Error).message}`)
    return undefined
  }
}

function readPreviousAdminToken(reader: Reader): string | undefined {
  // Not checked for its length: the token to replace may be one that an earlier version accepted.
  const token = reader.env.PLANTROOM_ADMIN_TOKEN_PREVIOUS || undefined
  if (token !== undefined && !reader.env.PLANTROOM_ADMIN_TOKEN) {
    reader.problems.push('PLANTROOM_ADMIN_TOKEN_PREVIOUS: set PLANTROOM_ADMIN_TOKEN to the new token, too')
  }
  return token
}

function readActivityKey({ env, problems }: Reader): string | undefined {
  const key = env.PLANTROOM_ACTIVITY_KEY || undefined
  if (key === undefined) return undefined
  try {
    openAuditKey(key)
  } catch {
    problems.push(
      'PLANTROOM_ACTIVITY_KEY: not an Ed25519 private key in Base64 (PKCS #8); use the content of activity-key in a data folder',
    )
  }
  return key
}

function readActivitySink({ env, problems }: Reader): SinkSettings | undefined {
  try {
    return readSink({
      syslog: env.PLANTROOM_ACTIVITY_SYSLOG,
      webhook: env.PLANTROOM_ACTIVITY_WEBHOOK,
      webhookSecret: env.PLANTROOM_ACTIVITY_WEBHOOK_SECRET,
    })
  } catch (error) {
    problems.push((error as Error).message)
    return undefined
  }
}

function readExportFolder({ env, problems }: Reader): string | undefined {
  const path = env.PLANTROOM_EXPORT_FOLDER || undefined
  if (path === undefined) return undefined
  if (!isAbsolute(path)) problems.push(`PLANTROOM_EXPORT_FOLDER: ${path} is not an absolute path`)
  else if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    problems.push(`PLANTROOM_EXPORT_FOLDER: ${path} is not a folder; create it`)
  }
  return path
}
