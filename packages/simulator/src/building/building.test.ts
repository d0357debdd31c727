import { describe, expect, test } from 'vitest'
import { advance, loadKw, newBuilding, OUTDOOR } from './building.ts'
import { GRID } from './grid.ts'

describe('a building', () => {
  test('runs identically with the same seed, and differently with another', () => {
    expect(advance(newBuilding(7), 600)).toEqual(advance(newBuilding(7), 600))
    expect(advance(newBuilding(7), 600).grid).not.toEqual(advance(newBuilding(8), 600).grid)
  })

  test('draws from the grid what its loads take and its panels do not supply, from the start', () => {
    let building = newBuilding(1)
    for (let second = 0; second < 2000; second += 1) {
      const { grid, battery, heatPump, airHandler, boiler, solar } = building
      const drawnKw = grid.baseLoadKw + battery.powerKw + heatPump.powerKw + airHandler.fanKw + boiler.powerKw
      expect(grid.powerKw).toBeCloseTo(drawnKw - solar.powerKw, 9)
      expect(loadKw(building)).toBeCloseTo(grid.powerKw - battery.powerKw + solar.powerKw, 9)
      expect(building.meter.shown).toEqual(grid)
      expect(Math.abs(grid.baseLoadKw - GRID.meanLoadKw)).toBeLessThanOrEqual(GRID.waveKw + GRID.noiseKw)
      building = advance(building, 1)
    }
  })

  test('counts imported and exported energy', () => {
    const start = newBuilding(1)
    let building = start
    let kWh = 0
    for (let second = 0; second < 2000; second += 1) {
      building = advance(building, 1)
      kWh += building.grid.powerKw / 3600
    }
    const imported = building.grid.importedKwh - start.grid.importedKwh
    const exported = building.grid.exportedKwh - start.grid.exportedKwh
    expect(imported - exported).toBeCloseTo(kWh, 6)
    expect(exported).toBe(0)
  })

  test('stays below 90 kW with heat pump and fan at full power, while the battery is idle', () => {
    let building = newBuilding(1)
    building = {
      ...building,
      battery: { ...building.battery, setpointKw: 0 },
      heatPump: { ...building.heatPump, setpointC: 60 },
      airHandler: { ...building.airHandler, fanPercent: 100 },
    }
    let highest = 0
    for (let second = 0; second < 4000; second += 1) {
      building = advance(building, 1)
      highest = Math.max(highest, building.grid.powerKw)
    }
    expect(highest).toBeGreaterThan(75)
    expect(highest).toBeLessThan(90)
  })

  // Peak shaving in the demo shows this, at any time.
  test('exceeds 90 kW when the battery charges with all its power, in all weathers', () => {
    let building = newBuilding(1)
    building = { ...building, battery: { ...building.battery, setpointKw: 50, storedKwh: 10 } }
    building = advance(building, 30)
    for (let second = 0; second < 3600; second += 1) {
      building = advance({ ...building, battery: { ...building.battery, storedKwh: 10 } }, 1)
      expect(building.grid.powerKw).toBeGreaterThan(90)
    }
  })

  test('stays comfortable for hours without any intervention', () => {
    const { heatPump, airHandler } = advance(newBuilding(1), 6 * 3600)
    for (const roomC of [heatPump.roomC, airHandler.roomC]) {
      expect(roomC).toBeGreaterThan(19)
      expect(roomC).toBeLessThan(23)
    }
  })

  test('has a changing value on every protocol', () => {
    const [before, after] = [advance(newBuilding(1), 60), advance(newBuilding(1), 120)]
    expect(after.battery.storedKwh).not.toBe(before.battery.storedKwh)
    expect(after.heatPump.powerKw).not.toBe(before.heatPump.powerKw)
    expect(after.airHandler.roomC).not.toBe(before.airHandler.roomC)
    expect(Math.abs(after.outdoorC - OUTDOOR.meanC)).toBeLessThanOrEqual(OUTDOOR.waveC)
  })

  test('advances in small steps, however long the requested step', () => {
    const inOne = advance(newBuilding(1), 60)
    let inMany = newBuilding(1)
    for (let second = 0; second < 60; second += 1) inMany = advance(inMany, 1)
    expect(inOne).toEqual(inMany)
  })
})
