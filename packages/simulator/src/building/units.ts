import type { Outcome, Unit } from '../modbus/functions.ts'
import type { Building } from './building.ts'
import type { LiveBuilding } from './live-building.ts'
import { type Bit, REGISTER_MAP, type Register, type UnitMap, valueIn, WIDTH, wordsOf } from './register-map.ts'

/** The building as Modbus units, by unit id. */
export function unitsOf(live: LiveBuilding): ReadonlyMap<number, Unit> {
  return new Map(REGISTER_MAP.map((map) => [map.unitId, unitOf(map, live)]))
}

function unitOf(map: UnitMap, live: LiveBuilding): Unit {
  return {
    readRegisters: (_table, address, count) => readRegisters(map.registers, live.now(), address, count),
    readBits: (table, address, count) =>
      readBits(table === 'coil' ? map.coils : map.discretes, live.now(), address, count),
    writeRegisters: (address, words) => carryOut(live, writeRegisters(map.registers, live.now(), address, words)),
    writeCoils: (address, values) => carryOut(live, writeCoils(map.coils, live.now(), address, values)),
  }
}

function carryOut(live: LiveBuilding, result: Building | Exclude<Outcome, 'written'>): Outcome {
  if (typeof result === 'string') return result
  live.change(result)
  return 'written'
}

function readRegisters(
  registers: readonly Register[],
  building: Building,
  address: number,
  count: number,
): number[] | undefined {
  const words: number[] = []
  for (let at = address; at < address + count; at += 1) {
    const register = registers.find((each) => each.address <= at && at < each.address + WIDTH[each.type])
    const word =
      register && inWireOrder(register, wordsOf(register.type, register.read(building)))[at - register.address]
    if (word === undefined) return undefined
    words.push(word)
  }
  return words
}

function readBits(bits: readonly Bit[], building: Building, address: number, count: number): boolean[] | undefined {
  const values = Array.from({ length: count }, (_, index) =>
    bits.find((bit) => bit.address === address + index)?.read(building),
  )
  return values.every((value) => value !== undefined) ? values : undefined
}

function writeRegisters(
  registers: readonly Register[],
  building: Building,
  address: number,
  words: readonly number[],
): Building | 'noSuchAddress' | 'badValue' {
  let result = building
  for (let at = 0; at < words.length; ) {
    const register = registers.find((each) => each.address === address + at)
    const width = register ? WIDTH[register.type] : 0
    if (!register?.write || at + width > words.length) return 'noSuchAddress'
    const changed = register.write(result, valueIn(register.type, inWireOrder(register, words.slice(at, at + width))))
    if (!changed) return 'badValue'
    result = changed
    at += width
  }
  return result
}

function writeCoils(
  coils: readonly Bit[],
  building: Building,
  address: number,
  values: readonly boolean[],
): Building | 'noSuchAddress' {
  let result = building
  for (const [index, value] of values.entries()) {
    const coil = coils.find((each) => each.address === address + index)
    if (!coil?.write) return 'noSuchAddress'
    result = coil.write(result, value)
  }
  return result
}

/** Swaps the word order. Its own inverse. */
const inWireOrder = (register: Register, words: readonly number[]) =>
  register.lowWordFirst ? words.toReversed() : words
