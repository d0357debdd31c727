import { describe, expect, test } from 'vitest'
import { advance, newBuilding } from './building.ts'
import { GRID } from './grid.ts'

describe('a building', () => {
  test('runs the same each time with the same seed, and otherwise with another', () => {
    expect(advance(newBuilding(7), 600)).toEqual(advance(newBuilding(7), 600))
    expect(advance(newBuilding(7), 600).grid).not.toEqual(advance(newBuilding(8), 600).grid)
  })

  test('draws from the grid what it needs and what the battery takes', () => {
    let building = newBuilding(1)
    for (let second = 0; second < 2000; second += 1) {
      building = advance(building, 1)
      const { grid, battery } = building
      expect(grid.powerKw).toBeCloseTo(grid.baseLoadKw + battery.powerKw, 9)
      expect(Math.abs(grid.baseLoadKw - GRID.meanLoadKw)).toBeLessThanOrEqual(GRID.waveKw + GRID.noiseKw)
    }
  })

  test('counts what it draws and what it feeds in', () => {
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

  test('moves in small steps however long the step asked for', () => {
    const inOne = advance(newBuilding(1), 60)
    let inMany = newBuilding(1)
    for (let second = 0; second < 60; second += 1) inMany = advance(inMany, 1)
    expect(inOne).toEqual(inMany)
  })
})
