import type { Raw } from '../../driver.ts'
import { REGISTERS_OF, type ValueType, WORD_ORDERS } from '../config.ts'
import type { Points } from './bench.ts'
import type { Place } from './pymodbus.ts'

/** Two values of each type that reveal a wrong byte order or a lost digit. */
const VALUES: Record<ValueType, readonly [Raw, Raw]> = {
  int16: [-2, 12_345],
  uint16: [0xfffe, 0x1234],
  int32: [-16_909_061, 2_147_483_647],
  uint32: [4_293_844_428, 0x01020304],
  int64: [-9_007_199_254_740_993n, 9_223_372_036_854_775_807n],
  uint64: [18_446_744_073_709_551_615n, 9_007_199_254_740_993n],
  float32: [701.00085, -0.1],
  float64: [Math.PI, -1e300],
  bool: [1, 0],
}
const TYPES = Object.keys(VALUES) as ValueType[]
export const UNIT = 7
export const FIRST = 100

export interface Entry extends Place {
  id: string
  before: Raw
  after: Raw
}

/** Every type in every order, side by side. */
function everyType(table: 'holding' | 'input'): readonly Entry[] {
  let address = FIRST
  return TYPES.flatMap((type) =>
    WORD_ORDERS.map((order) => {
      const [before, after] = VALUES[type]
      const entry = { id: `${table} ${type} ${order}`, unit: UNIT, table, address, type, order, before, after }
      address += REGISTERS_OF[type]
      return entry
    }),
  )
}

/** Twenty bits; every other one is set. */
export const bits = (table: 'coil' | 'discrete') =>
  Array.from({ length: 20 }, (_, address): Entry => {
    const place = { unit: UNIT, table, address, type: 'bool', order: 'ABCD' } as const
    return { ...place, id: `${table} ${address}`, before: address % 2, after: 1 - (address % 2) }
  })

export const WORDS = everyType('holding')
const INPUTS = everyType('input')
export const COILS = bits('coil')
const DISCRETES = bits('discrete')
export const ALL = [...WORDS, ...INPUTS, ...COILS, ...DISCRETES]
export const REGISTERS = WORDS.reduce((sum, { type }) => sum + REGISTERS_OF[type], 0)

export const pointsOf = (entries: readonly Entry[], more: Record<string, unknown> = {}): Points =>
  Object.fromEntries(
    entries.map(({ id, table, address, type, order }) => [
      id,
      {
        table,
        register: address,
        type,
        ...(table === 'holding' || table === 'input' ? { wordOrder: order } : {}),
        accessType: table === 'holding' || table === 'coil' ? 'READ_WRITE' : 'READ',
        ...more,
      },
    ]),
  )
export const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id)

export const layout = () =>
  ALL.map(({ before, id: _id, after: _after, ...place }) => ({ ...place, value: String(before) }))

/** The value as pymodbus shows it: a float32 has the digits of a double there. */
export function shownAs({ type }: Entry, text: string): Raw {
  if (REGISTERS_OF[type] === 4 && type !== 'float64') return BigInt(text)
  return type === 'float32' ? Number(Math.fround(Number(text)).toPrecision(8)) : Number(text)
}
