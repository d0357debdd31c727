import { join, resolve } from 'node:path'
import { LOG_LEVELS, type LogLevel, type LogStyle, readLogStyle } from '@plantroom/base/log'
import { type ServiceManager, takeServiceManager } from '@plantroom/base/service-manager'
import {
  configurationError,
  type Environment,
  type FoundSettings,
  findSettings,
  onlyEnvironment,
} from '@plantroom/base/settings'
import { ALLOW_PLAIN_MQTT, isPlainToAnotherMachine, plainBrokerProblem } from '@plantroom/contract/broker-url'
import { ALL_SETTINGS, EDGE_SETTINGS, type Setting } from '@plantroom/contract/settings'
import type { Quotas } from './overrides/check-window.ts'

export interface EdgeConfig {
  folder: string
  mqttUrl: string
  deviceId: string
  deviceSecret: string
  logLevel: LogLevel
  logStyle: LogStyle
  /** The address of the metrics server; `undefined` disables it. */
  metrics: { host: string; port: number } | undefined
  quotas: Quotas
}

type Name = keyof typeof EDGE_SETTINGS

/** Finds the settings of a controller in the environment and in the file that it or the command line names. */
export function findEdgeSettings(path?: string, env: Environment = process.env): Promise<FoundSettings> {
  return findSettings({ env, path, own: EDGE_SETTINGS, all: ALL_SETTINGS })
}

/** Takes the address of the service manager that started this program out of the environment. */
export const ownServiceManager = (): ServiceManager | undefined => takeServiceManager(process.env)

/** Finds and reads all settings. Rejects with one error that names every problem. */
export async function loadConfig(path?: string): Promise<EdgeConfig> {
  const found = await findEdgeSettings(path)
  for (const warning of found.warnings) process.stderr.write(`plantroom: warning: ${warning}\n`)
  return readConfig(found.values, found)
}

/** Reads all settings. Throws one error that names every problem. */
export function readConfig(env: Environment = process.env, found: FoundSettings = onlyEnvironment(env)): EdgeConfig {
  const problems: string[] = []
  const required = (name: Name) => {
    const value = env[name] ?? ''
    if (value === '') problems.push(`${name}: missing (plantroom device add prints it)`)
    return value
  }

  const mqttUrl = env.MQTT_URL || defaultOf('MQTT_URL')
  if (!URL.canParse(mqttUrl) || !/^(mqtts?|wss?):$/.test(new URL(mqttUrl).protocol)) {
    // The text is not shown, because it may contain a password.
    problems.push('MQTT_URL: not an address that starts with mqtt:// or mqtts://')
  } else if (isPlainToAnotherMachine(mqttUrl) && env[ALLOW_PLAIN_MQTT] !== '1') {
    problems.push(`MQTT_URL: ${plainBrokerProblem(mqttUrl)}`)
  }
  const deviceId = required('PLANTROOM_DEVICE_ID')
  if (!/^[A-Za-z0-9_-]*$/.test(deviceId)) problems.push(`PLANTROOM_DEVICE_ID: ${deviceId} is not a device id`)
  const deviceSecret = required('PLANTROOM_DEVICE_SECRET')
  const logLevel = LOG_LEVELS.find((level) => level === (env.PLANTROOM_LOG_LEVEL || defaultOf('PLANTROOM_LOG_LEVEL')))
  if (!logLevel) problems.push(`PLANTROOM_LOG_LEVEL: ${env.PLANTROOM_LOG_LEVEL} is not one of ${LOG_LEVELS.join(', ')}`)
  const logStyle = readLogStyle(env, problems)
  const metrics = readMetrics(env, problems)
  const quotas = readQuotas(env, problems)

  if (found.problems.length + problems.length > 0) throw configurationError(found, problems)
  const folder = join(resolve(env.PLANTROOM_DATA || defaultOf('PLANTROOM_DATA')), 'edge')
  return { folder, mqttUrl, deviceId, deviceSecret, logLevel: logLevel ?? 'info', logStyle, metrics, quotas }
}

function defaultOf(name: Name): string {
  const { default: usual = '' }: Setting = EDGE_SETTINGS[name]
  return usual
}

function readQuotas(env: Environment, problems: string[]): Quotas {
  const whole = (name: Name) => {
    const { min = 0, max = 0 }: Setting = EDGE_SETTINGS[name]
    const text = env[name] || defaultOf(name)
    const value = /^\d{1,6}$/.test(text) ? Number(text) : 0
    if (value < min || value > max) problems.push(`${name}: ${text} is not a whole number from ${min} to ${max}`)
    return value
  }
  return {
    inAll: whole('PLANTROOM_MAX_OVERRIDES'),
    perCaller: whole('PLANTROOM_MAX_OVERRIDES_PER_CALLER'),
    daysAhead: whole('PLANTROOM_MAX_DAYS_AHEAD'),
  }
}

function readMetrics(env: Environment, problems: string[]): EdgeConfig['metrics'] {
  const text = env.PLANTROOM_METRICS_PORT
  const host = env.PLANTROOM_METRICS_HOST || defaultOf('PLANTROOM_METRICS_HOST')
  if (/\s/.test(host)) problems.push(`PLANTROOM_METRICS_HOST: ${host} is not a host`)
  if (!text) return undefined
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) problems.push(`PLANTROOM_METRICS_PORT: ${text} is not a port`)
  return { host, port: Number(text) }
}
