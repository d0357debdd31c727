import type { Target } from '../driver.ts'
import { isBitTable, type ModbusConfig, type ModbusPoint } from './config.ts'
import type { Medium } from './medium.ts'

/** Returns the target of each point, in order; `undefined` for a read-only point. */
export function targetsOf<Address>(
  config: ModbusConfig<Address>,
  medium: Medium<Address>,
): readonly (Target | undefined)[] {
  return config.points.map((point) => (point.writable ? targetOf(config, medium, point) : undefined))
}

function targetOf<Address>(
  { address, settings }: ModbusConfig<Address>,
  medium: Medium<Address>,
  point: ModbusPoint,
): Target {
  const { unitId } = settings
  const { text, identity, reach } = medium.canonical(address)
  const { table, register, width, type, wordOrder, bit = null, writeFunction } = point
  const meaning = { table, type, wordOrder, bit }
  return {
    space: `${medium.protocol} ${text}/${unitId}/${table}`,
    start: register,
    end: register + width,
    name: nameOf(point),
    reach,
    identity: JSON.stringify({ ...identity, unitId, register, writeFunction, ...meaning }),
    meaning: JSON.stringify(meaning),
  }
}

function nameOf({ table, register, width }: ModbusPoint): string {
  if (isBitTable(table)) return `${table} ${register}`
  return width === 1 ? `${table} register ${register}` : `${table} registers ${register} to ${register + width - 1}`
}
