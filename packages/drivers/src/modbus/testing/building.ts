import type { Driver, Raw, Reading } from '../../driver.ts'
import type { Points } from './bench.ts'
import { createRegisterBank, type RegisterBank } from './register-bank.ts'

/** Where each kind of value stands. Every table, and every width; several requests to read it all. */
const ROWS = [
  { name: 'word', table: 'holding', from: 0, type: 'uint16', width: 1 },
  { name: 'meter', table: 'input', from: 0, type: 'uint16', width: 1 },
  { name: 'wide', table: 'holding', from: 200, type: 'uint32', width: 2 },
  { name: 'long', table: 'input', from: 400, type: 'uint64', width: 4 },
  { name: 'coil', table: 'coil', from: 0, type: 'bool', width: 1 },
  { name: 'input', table: 'discrete', from: 0, type: 'bool', width: 1 },
] as const
const VALUES_IN_A_ROW = 20

type Row = (typeof ROWS)[number]

const spots = ROWS.flatMap((row) =>
  Array.from({ length: VALUES_IN_A_ROW }, (_, index) => ({
    ...row,
    id: `${row.name}${index}`,
    register: row.from + index * row.width,
  })),
)

/** The datapoints of each unit: the same, so that units differ only in their values. */
export const POINTS: Points = Object.fromEntries(
  spots.map(({ id, table, register, type }) => [
    id,
    { table, register, type, accessType: table === 'holding' || table === 'coil' ? 'READ_WRITE' : 'READ' },
  ]),
)
export const POINT_IDS = Object.keys(POINTS)

/** No two registers of any unit or table hold the same. One bit does not show where it is from; a row of bits does. */
function contentOf(unitId: number, table: Row['table'], register: number): number {
  if (table === 'coil') return Math.imul(unitId * 31 + register, 0x9e3779b1) >>> 31
  if (table === 'discrete') return Math.imul(unitId * 37 + register, 0x85ebca6b) >>> 31
  return unitId * 10_000 + (table === 'input' ? 5000 : 0) + register
}

export function fillBank(unitId: number): RegisterBank {
  const bank = createRegisterBank()
  for (const { table, register, width } of spots) {
    for (let each = register; each < register + width; each += 1) {
      bank[table].set(each, contentOf(unitId, table, each))
    }
  }
  return bank
}

/** What each datapoint of the unit must read, in the order of `POINT_IDS`. */
export function valuesOf(unitId: number): readonly Raw[] {
  return spots.map(({ table, register, type, width }) => {
    const words = Array.from({ length: width }, (_, index) => contentOf(unitId, table, register + index))
    const value = words.reduce((sum, word) => sum * 65_536n + BigInt(word), 0n)
    return type === 'uint64' ? value : Number(value)
  })
}

/** Everything that the unit has, or `undefined` when the link was lost meanwhile. */
export const readAll = (driver: Driver): Promise<readonly Reading[] | undefined> =>
  driver.read(POINT_IDS).catch(() => undefined)
