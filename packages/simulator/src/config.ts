import { LOG_LEVELS, type LogLevel } from '@plantroom/base/log'

export interface Config {
  host: string
  modbusPort: number
  seed: number
  logLevel: LogLevel
}

/** The settings of the simulator. Throws one line with all that is wrong. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = []

  function wholeNumber(name: string, max: number, fallback: number): number {
    const text = env[name]
    if (!text) return fallback
    const value = Number(text)
    if (!/^\d+$/.test(text) || value > max) problems.push(`${name}: ${text} is not a whole number from 0 to ${max}`)
    return value
  }

  const host = env.PLANTROOM_HOST || '127.0.0.1'
  if (/\s/.test(host)) problems.push(`PLANTROOM_HOST: ${host} is not a host`)
  const modbusPort = wholeNumber('PLANTROOM_SIMULATOR_MODBUS_PORT', 65_535, 15_020)
  const seed = wholeNumber('PLANTROOM_SIMULATOR_SEED', 2 ** 32 - 1, 1)
  const logLevel = LOG_LEVELS.find((level) => level === (env.PLANTROOM_LOG_LEVEL || 'info'))
  if (!logLevel)
    problems.push(`PLANTROOM_LOG_LEVEL: ${env.PLANTROOM_LOG_LEVEL} is not one of: ${LOG_LEVELS.join(', ')}`)

  if (problems.length > 0 || !logLevel) throw new Error(`Bad configuration: ${problems.join('; ')}`)
  return { host, modbusPort, seed, logLevel }
}
