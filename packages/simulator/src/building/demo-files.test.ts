import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CommissioningFile, fileProblems } from '@plantroom/contract/commissioning'
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
  test('exist for each technical system', () => {
    expect(NAMES).toEqual(['air-handling.yaml', 'battery-room.yaml', 'heat-pump.yaml'])
    expect(FILES.map(({ technicalSystem }) => technicalSystem)).toEqual(['Ventilation', 'Battery room', 'Heating'])
  })

  test.each(NAMES)('are valid: %s', (name) => {
    expect(fileProblems(read(name))).toEqual([])
  })

  // The demo loads all of them onto one controller, where users refer to connections and datapoints by name.
  test('use each connection and datapoint name once', () => {
    const names = CONNECTIONS.flatMap(({ name, datapoints }) => [name, ...datapoints.map((each) => each.name)])
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  // The demo overrides this datapoint, so that nothing else may move it.
  test('let no other writer use the first writable datapoint of a connection, but let one use the second', () => {
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

  test('use existing topics of the heat pump, with their ranges', () => {
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

  test('use existing points of the air handling unit, and write only writable ones', () => {
    for (const { accessType, writeInputData, data } of theOnly('obix')?.datapoints ?? []) {
      const point = POINTS.find(({ name }) => data.href === `points/${name}/`)
      expect(point).toBeDefined()
      expect(accessType).toBe(point?.write ? 'READ_WRITE' : 'READ')
      expect(writeInputData).toEqual(point?.write && { min: point.write.min, max: point.write.max })
    }
  })
})
