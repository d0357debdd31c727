import { describe, expect, test } from 'vitest'
import type { Unit } from '../modbus/functions.ts'
import { advance, newBuilding } from './building.ts'
import type { LiveBuilding } from './live-building.ts'
import { REGISTER_MAP, WIDTH } from './register-map.ts'
import { unitsOf } from './units.ts'

function stillBuilding(): { live: LiveBuilding; inverter: Unit; meter: Unit; boiler: Unit } {
  let building = newBuilding(1)
  const live: LiveBuilding = {
    now: () => building,
    change(next) {
      building = next
    },
    stop() {},
  }
  const units = unitsOf(live)
  return { live, inverter: units.get(1) as Unit, meter: units.get(2) as Unit, boiler: units.get(3) as Unit }
}

describe('the register map', () => {
  test('uses each address once', () => {
    for (const { registers } of REGISTER_MAP) {
      const taken = registers.flatMap(({ address, type }) => Array.from({ length: WIDTH[type] }, (_, i) => address + i))
      expect(new Set(taken).size).toBe(taken.length)
    }
  })

  test('serves each register as holding and as input register', () => {
    const { inverter } = stillBuilding()
    expect(inverter.readRegisters('holding', 200, 10)).toEqual(inverter.readRegisters('input', 200, 10))
  })

  test('contains the documented values', () => {
    const { inverter, meter, boiler } = stillBuilding()
    expect(inverter.readRegisters('holding', 100, 4)).toEqual([50, 500, 0x4120, 0])
    expect(inverter.readRegisters('holding', 200, 8)).toEqual([0, 500, 220, 1, 0, 0, 0x075b, 0xcd15])
    expect(inverter.readBits('coil', 0, 1)).toEqual([true])
    expect(inverter.readBits('discrete', 0, 4)).toEqual([false, false, false, false])
    // 56 kW of base load, 3 of the heat pump and 1.372 of the fan.
    expect(meter.readRegisters('holding', 0, 5)).toEqual([0, 60_372, 0x4366, 0, 5000])
    expect(meter.readRegisters('holding', 10, 2)).toEqual([0x7cee, 0x4271])
    expect(meter.readRegisters('holding', 14, 2)).toEqual([0, 0])
    expect(boiler.readRegisters('holding', 0, 3)).toEqual([600, 585, 0])
    expect([boiler.readBits('coil', 0, 1), boiler.readBits('discrete', 0, 1)]).toEqual([[true], [false]])
  })

  test('has no other registers', () => {
    const { inverter, meter } = stillBuilding()
    expect(inverter.readRegisters('holding', 99, 2)).toBeUndefined()
    expect(inverter.readRegisters('holding', 209, 2)).toBeUndefined()
    expect(meter.readRegisters('holding', 4, 3)).toBeUndefined()
    expect(meter.readBits('coil', 0, 1)).toBeUndefined()
  })
})

describe('writing to the inverter', () => {
  test('sets the setpoint that the power then follows', () => {
    const { live, inverter } = stillBuilding()
    expect(inverter.writeRegisters(100, [0xffff - 249])).toBe('written')
    expect(live.now().battery.setpointKw).toBe(-25)
    live.change(advance(live.now(), 10))
    expect(inverter.readRegisters('holding', 200, 1)).toEqual([0xffff - 249])
    expect(inverter.readBits('discrete', 0, 2)).toEqual([false, true])
  })

  test('keeps a setpoint beyond the rating, and reports that it is limited', () => {
    const { live, inverter } = stillBuilding()
    expect(inverter.writeRegisters(100, [600])).toBe('written')
    live.change(advance(live.now(), 10))
    expect(inverter.readRegisters('holding', 100, 1)).toEqual([600])
    expect(inverter.readRegisters('holding', 200, 1)).toEqual([500])
    expect(inverter.readRegisters('holding', 203, 1)).toEqual([0b10_0011])
  })

  test('accepts several values together, all or none', () => {
    const { live, inverter } = stillBuilding()
    expect(inverter.writeRegisters(100, [10, 100, 0x41a0, 0])).toBe('written')
    expect(live.now().battery).toMatchObject({ setpointKw: 1, chargeLimitKw: 10, reservePercent: 20 })
    expect(inverter.writeRegisters(100, [20, 501])).toBe('badValue')
    expect(live.now().battery.setpointKw).toBe(1)
  })

  test('rejects half a value, a value out of range, and a measured value', () => {
    const { inverter, meter } = stillBuilding()
    expect(inverter.writeRegisters(102, [0x41a0])).toBe('noSuchAddress')
    expect(inverter.writeRegisters(103, [0])).toBe('noSuchAddress')
    expect(inverter.writeRegisters(102, [0x7fc0, 0])).toBe('badValue')
    expect(inverter.writeRegisters(200, [1])).toBe('noSuchAddress')
    expect(meter.writeRegisters(0, [0, 0])).toBe('noSuchAddress')
    expect(inverter.writeCoils(1, [true])).toBe('noSuchAddress')
  })

  test('switches it off and on', () => {
    const { live, inverter } = stillBuilding()
    expect(inverter.writeCoils(0, [false])).toBe('written')
    expect(live.now().battery.enabled).toBe(false)
    expect(inverter.readBits('coil', 0, 1)).toEqual([false])
  })
})

describe('writing to the boiler', () => {
  test('releases it, and its thermostat follows the setpoint', () => {
    const { live, boiler } = stillBuilding()
    expect(boiler.writeRegisters(0, [700])).toBe('written')
    live.change(advance(live.now(), 2))
    expect(boiler.readRegisters('holding', 2, 1)).toEqual([9000])
    expect(boiler.readBits('discrete', 0, 1)).toEqual([true])
    expect(boiler.writeCoils(0, [false])).toBe('written')
    live.change(advance(live.now(), 2))
    expect(boiler.readRegisters('holding', 2, 1)).toEqual([0])
  })

  test('refuses a setpoint that boils or freezes it', () => {
    const { boiler } = stillBuilding()
    for (const raw of [399, 751, 0xffff]) expect(boiler.writeRegisters(0, [raw])).toBe('badValue')
    expect(boiler.writeRegisters(1, [500])).toBe('noSuchAddress')
  })
})
