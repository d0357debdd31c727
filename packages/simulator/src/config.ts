import { LOG_LEVELS, type LogLevel, type LogStyle, readLogStyle } from '@plantroom/base/log'
import { type Faults, parseFaults } from './faults.ts'

export interface Config {
  host: string
  /** `undefined` for the default port, or any free one if that is in use. */
  modbusPort: number | undefined
  mqttPort: number | undefined
  obixPort: number | undefined
  bacnetPort: number | undefined
  /** `user:password`; `undefined` for access without a login. */
  obixLogin: string | undefined
  seed: number
  faults: Faults
  logLevel: LogLevel
  logStyle: LogStyle
}

/** Reads the settings of the simulator. Throws an error with all problems in one line. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = []

  function wholeNumber(name: string, max: number): number | undefined {
    const text = env[name]
    if (!text) return undefined
    const value = Number(text)
    if (!/^\d+$/.test(text) || value > max) problems.push(`${name}: ${text} is not a whole number from 0 to ${max}`)
    return value
  }

  const host = env.PLANTROOM_HOST || '127.0.0.1'
  if (/\s/.test(host)) problems.push(`PLANTROOM_HOST: ${host} is not a host`)
  const modbusPort = wholeNumber('PLANTROOM_SIMULATOR_MODBUS_PORT', 65_535)
  const mqttPort = wholeNumber('PLANTROOM_SIMULATOR_MQTT_PORT', 65_535)
  const obixPort = wholeNumber('PLANTROOM_SIMULATOR_OBIX_PORT', 65_535)
  const bacnetPort = wholeNumber('PLANTROOM_SIMULATOR_BACNET_PORT', 65_535)
  const obixLogin = env.PLANTROOM_SIMULATOR_OBIX_LOGIN || undefined
  // The text is not shown, because it may be a password.
  if (obixLogin && !/^[^:]+:/.test(obixLogin)) problems.push('PLANTROOM_SIMULATOR_OBIX_LOGIN: is not user:password')
  const seed = wholeNumber('PLANTROOM_SIMULATOR_SEED', 2 ** 32 - 1) ?? 1
  const { faults, problems: wrong } = parseFaults(listed(env.PLANTROOM_SIMULATOR_FAULTS))
  problems.push(...wrong.map((problem) => `PLANTROOM_SIMULATOR_FAULTS: ${problem}`))
  const logLevel = LOG_LEVELS.find((level) => level === (env.PLANTROOM_LOG_LEVEL || 'info'))
  if (!logLevel)
    problems.push(`PLANTROOM_LOG_LEVEL: ${env.PLANTROOM_LOG_LEVEL} is not one of: ${LOG_LEVELS.join(', ')}`)
  const logStyle = readLogStyle(env, problems)

  if (problems.length > 0 || !logLevel) throw new Error(`Bad configuration: ${problems.join('; ')}`)
  return { host, modbusPort, mqttPort, obixPort, bacnetPort, obixLogin, seed, faults, logLevel, logStyle }
}

const listed = (text = '') =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
