import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { fileProblems } from '@plantroom/contract/commissioning-problems'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { POINTS } from './air-handler-points.ts'
import { HEAT_PUMP } from './heat-pump.ts'
import { AVAILABILITY_TOPIC, STATE_TOPICS } from './heat-pump-topics.ts'

const FOLDER = join(import.meta.dirname, '../../demo')
const NAMES = readdirSync(FOLDER).sort()
const read = (name: string) => parse(readFileSync(join(FOLDER, name), 'utf8')) as CommissioningFile
const FILES = NAMES.map(read)
const CONNECTIONS = FILES.flatMap(({ connections }) => connections)
const theOnly = (protocol: string) => {
  const found = CONNECTIONS.filter((each) => each.protocol === protocol)
  expect(found).toHaveLength(1)
  return found[0]
}

describe('the files of the simulated building', () => {
  test('are one for each technical system', () => {
    expect(NAMES).toEqual(['air-handling.yaml', 'battery-room.yaml', 'heat-pump.yaml'])
    expect(FILES.map(({ technicalSystem }) => technicalSystem)).toEqual(['Ventilation', 'Battery room', 'Heating'])
  })

  test.each(NAMES)('have no mistakes: %s', (name) => {
    expect(fileProblems(read(name))).toEqual([])
  })

  // The demo loads all of them onto one device, where people call connections and datapoints by their names.
  test('name no connection and no datapoint twice', () => {
    const names = CONNECTIONS.flatMap(({ name, datapoints }) => [name, ...datapoints.map((each) => each.name)])
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  // Whoever tries an override takes this one: nothing else may move it meanwhile.
  test('let nothing drive the first datapoint of a connection that can be written, and something drive a second', () => {
    const driven = FILES.flatMap(({ peakShaving, schedules }) => [
      ...(peakShaving?.loads ?? []),
      ...(schedules ?? []),
    ]).map(({ datapoint }) => datapoint)
    const seconds = CONNECTIONS.map(({ name, datapoints }) => {
      const [first, second] = datapoints.filter(({ accessType }) => accessType !== 'READ')
      expect(driven).not.toContain(first?.name)
      expect(driven).not.toContain(`${name}/${first?.name}`)
      return second?.name
    })
    expect(seconds.filter((name) => driven.includes(name ?? ''))).toEqual(['Fan speed', 'Charge power limit'])
  })

  test('speak of topics that the heat pump has, and of their ranges', () => {
    const heatPump = theOnly('mqtt')
    expect(heatPump?.settings).toMatchObject({ availability: { topic: AVAILABILITY_TOPIC } })
    const topics = STATE_TOPICS.map(({ topic, command }) => ({ stateTopic: topic, commandTopic: command?.topic }))
    const used = heatPump?.datapoints.map(({ data }) => ({
      stateTopic: data.stateTopic,
      commandTopic: data.commandTopic,
    }))
    expect(used).toEqual(expect.arrayContaining(topics))
    expect(used).toHaveLength(topics.length)
    expect(heatPump?.datapoints[0]?.data).toEqual({
      stateTopic: 'hp/flow',
      commandTopic: 'hp/flow/set',
      path: 'value',
    })
    const [flow, limit] = heatPump?.datapoints ?? []
    expect(flow?.writeInputData).toEqual({ min: HEAT_PUMP.minSetpointC, max: HEAT_PUMP.maxSetpointC })
    expect(limit?.writeInputData).toEqual({ min: 0, max: HEAT_PUMP.ratedPowerKw })
  })

  test('speak of points that the air handling unit has, and write those that can be written', () => {
    for (const { accessType, writeInputData, data } of theOnly('obix')?.datapoints ?? []) {
      const point = POINTS.find(({ name }) => data.href === `points/${name}/`)
      expect(point).toBeDefined()
      expect(accessType).toBe(point?.write ? 'READ_WRITE' : 'READ')
      expect(writeInputData).toEqual(point?.write && { min: point.write.min, max: point.write.max })
    }
  })
})
