import { join } from 'node:path'
import { fileProblems } from '@plantroom/contract/commissioning-problems'
import { expect, test } from 'vitest'
import { readCommissioningFile } from '../commissioning-file.ts'

const BATTERY_ROOM = join(import.meta.dirname, '../../../simulator/demo/battery-room.yaml')

test('the battery room of the demo has no mistakes', async () => {
  expect(fileProblems(await readCommissioningFile(BATTERY_ROOM))).toEqual([])
})

// Whoever tries an override takes this one: nothing else may move it meanwhile.
test('the first datapoint of a connection that can be written is driven by nothing but its partner', async () => {
  const { connections, peakShaving, schedules } = await readCommissioningFile(BATTERY_ROOM)
  const driven = [...(peakShaving?.loads ?? []), ...(schedules ?? [])].map(({ datapoint }) => datapoint)
  expect(driven.length).toBeGreaterThan(1)
  for (const { name, datapoints } of connections) {
    const first = datapoints.find(({ accessType }) => accessType !== 'READ')?.name
    expect(driven).not.toContain(first)
    expect(driven).not.toContain(`${name}/${first}`)
  }
})
