import type { Target } from '../driver.ts'
import { canonicalHost } from '../host.ts'
import { addressText } from './client.ts'
import { isBitTable, type ModbusConfig, type ModbusPoint, type ModbusSettings } from './config.ts'

/** Returns the target of each point, in order; `undefined` for a read-only point. */
export function targetsOf({ settings, points }: ModbusConfig): readonly (Target | undefined)[] {
  return points.map((point) => (point.writable ? targetOf(settings, point) : undefined))
}

function targetOf(settings: ModbusSettings, point: ModbusPoint): Target {
  const { port, unitId } = settings
  const { name: host, reach } = canonicalHost(settings.host)
  const { table, register, width, type, wordOrder, bit = null, writeFunction } = point
  const meaning = { table, type, wordOrder, bit }
  return {
    space: `modbus-tcp ${addressText({ host, port })}/${unitId}/${table}`,
    start: register,
    end: register + width,
    name: nameOf(point),
    reach,
    identity: JSON.stringify({ host, port, unitId, register, writeFunction, ...meaning }),
    meaning: JSON.stringify(meaning),
  }
}

function nameOf({ table, register, width }: ModbusPoint): string {
  if (isBitTable(table)) return `${table} ${register}`
  return width === 1 ? `${table} register ${register}` : `${table} registers ${register} to ${register + width - 1}`
}
