import type { Driver, Raw, Reading } from '../../driver.ts'
import type { Points } from './bench.ts'
import { createRegisterBank, type RegisterBank } from './register-bank.ts'

/** The location of each kind of value: every table and width, spread over several requests. */
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

/** The datapoints of each unit. They are equal, so that units differ only in their values. */
export const POINTS: Points = Object.fromEntries(
  spots.map(({ id, table, register, type }) => [
    id,
    { table, register, type, accessType: table === 'holding' || table === 'coil' ? 'READ_WRITE' : 'READ' },
  ]),
)
export const POINT_IDS = Object.keys(POINTS)

/** Returns content that is unique among units and tables. For bits, only a whole row is unique. */
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

/** Returns the expected value of each datapoint of the unit, in the order of `POINT_IDS`. */
export function valuesOf(unitId: number): readonly Raw[] {
  return spots.map(({ table, register, type, width }) => {
    const words = Array.from({ length: width }, (_, index) => contentOf(unitId, table, register + index))
    const value = words.reduce((sum, word) => sum * 65_536n + BigInt(word), 0n)
    return type === 'uint64' ? value : Number(value)
  })
}

/** Reads all points of the unit. Resolves to `undefined` when the link is lost. */
export const readAll = (driver: Driver): Promise<readonly Reading[] | undefined> =>
  driver.read(POINT_IDS).catch(() => undefined)
