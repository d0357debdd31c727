import { join, resolve } from 'node:path'
import { LOG_LEVELS, type LogLevel, type LogStyle, readLogStyle } from '@plantroom/base/log'
import { ALLOW_PLAIN_MQTT, isPlainToAnotherMachine, plainBrokerProblem } from '@plantroom/contract/broker-url'
import { DEFAULT_QUOTAS, type Quotas } from './overrides/check-window.ts'

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

/** Ten years. */
const MOST_DAYS_AHEAD = 3_660

type Environment = Readonly<Record<string, string | undefined>>

/** Reads all settings. Throws one error that names every problem. */
export function readConfig(env: Environment = process.env): EdgeConfig {
  const problems: string[] = []
  const required = (name: string) => {
    const value = env[name] ?? ''
    if (value === '') problems.push(`${name}: missing (plantroom device add prints it)`)
    return value
  }

  const mqttUrl = env.MQTT_URL || 'mqtt://127.0.0.1:1883'
  if (!URL.canParse(mqttUrl) || !/^(mqtts?|wss?):$/.test(new URL(mqttUrl).protocol)) {
    problems.push(`MQTT_URL: ${mqttUrl} is not an address that starts with mqtt:// or mqtts://`)
  } else if (isPlainToAnotherMachine(mqttUrl) && env[ALLOW_PLAIN_MQTT] !== '1') {
    problems.push(`MQTT_URL: ${plainBrokerProblem(mqttUrl)}`)
  }
  const deviceId = required('PLANTROOM_DEVICE_ID')
  if (!/^[A-Za-z0-9_-]*$/.test(deviceId)) problems.push(`PLANTROOM_DEVICE_ID: ${deviceId} is not a device id`)
  const deviceSecret = required('PLANTROOM_DEVICE_SECRET')
  const logLevel = LOG_LEVELS.find((level) => level === (env.PLANTROOM_LOG_LEVEL || 'info'))
  if (!logLevel) problems.push(`PLANTROOM_LOG_LEVEL: ${env.PLANTROOM_LOG_LEVEL} is not one of ${LOG_LEVELS.join(', ')}`)
  const logStyle = readLogStyle(env, problems)
  const metrics = readMetrics(env, problems)
  const quotas = readQuotas(env, problems)

  if (problems.length > 0) throw new Error(`Bad configuration: ${problems.join('; ')}`)
  const folder = join(resolve(env.PLANTROOM_DATA || '.plantroom'), 'edge')
  return { folder, mqttUrl, deviceId, deviceSecret, logLevel: logLevel ?? 'info', logStyle, metrics, quotas }
}

function readQuotas(env: Environment, problems: string[]): Quotas {
  const whole = (name: string, usual: number, most: number) => {
    const text = env[name] || String(usual)
    const value = /^\d{1,6}$/.test(text) ? Number(text) : 0
    if (value < 1 || value > most) problems.push(`${name}: ${text} is not a whole number from 1 to ${most}`)
    return value
  }
  const { inAll, perCaller, daysAhead } = DEFAULT_QUOTAS
  return {
    inAll: whole('PLANTROOM_MAX_OVERRIDES', inAll, inAll),
    perCaller: whole('PLANTROOM_MAX_OVERRIDES_PER_CALLER', perCaller, inAll),
    daysAhead: whole('PLANTROOM_MAX_DAYS_AHEAD', daysAhead, MOST_DAYS_AHEAD),
  }
}

function readMetrics(env: Environment, problems: string[]): EdgeConfig['metrics'] {
  const text = env.PLANTROOM_METRICS_PORT
  const host = env.PLANTROOM_METRICS_HOST || '127.0.0.1'
  if (/\s/.test(host)) problems.push(`PLANTROOM_METRICS_HOST: ${host} is not a host`)
  if (!text) return undefined
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) problems.push(`PLANTROOM_METRICS_PORT: ${text} is not a port`)
  return { host, port: Number(text) }
}
