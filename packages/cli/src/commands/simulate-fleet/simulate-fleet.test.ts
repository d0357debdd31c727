import { fileProblems } from '@plantroom/contract/commissioning'
import type { FleetStatus } from '@plantroom/contract/fleet-simulation'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../command.ts'
import { sayEnd, sayStatus } from './fleet-output.ts'
import { exportedDatapoints, imitatedPlant } from './imitated-plant.ts'
import { simulateFleet } from './simulate-fleet.ts'

const STATUS: FleetStatus = {
  ...{ devices: 10_000, connected: 9_950, commissioned: 10_000, lost: 3, refused: 0 },
  ...{ sent: 20_000, resent: 7, confirmed: 19_000, confirmedValues: 380_000, waitingValues: 20 },
  ...{ commands: 500, overrides: 4, repeated: 0, cancelled: 0 },
}

describe('plantroom simulate-fleet', () => {
  test.each<[string, string[], RegExp]>([
    ['without a number', [], /N is missing/],
    ['with a number that is none', ['many'], /N many is not a whole number/],
    ['with no controllers', ['0'], /N 0 is not a whole number above 0/],
    ['with more controllers than ports', ['30000'], /more than one machine has ports for/],
    ['with a broker that does not speak MQTT', ['5', '--url', 'http://127.0.0.1'], /starts with mqtt:\/\//],
    ['with an unencrypted broker elsewhere', ['5', '--url', 'mqtt://broker.example.com'], /use mqtts:\/\//],
    ['with more silent controllers than controllers', ['5', '--silent', '6'], /--silent 6 is more than N/],
    ['with too many values', ['5', '--values', '1001'], /--values 1001 is above 1000/],
    ['with an unknown option', ['5', '--loud'], /--loud/],
  ])('%s is wrong usage', async (_what, args, message) => {
    const error = await simulateFleet.run(args).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UsageError)
    expect(String(error)).toMatch(message)
  })

  test('names every option in its help', () => {
    for (const option of ['--url', '--cloud', '--credentials', '--silent', '--aligned', '--backlog', '--report']) {
      expect(simulateFleet.usage).toContain(option)
    }
  })
})

describe('the imitated plant', () => {
  test('is a valid commissioning file with one setpoint', () => {
    const file = imitatedPlant(20, 60)
    expect(fileProblems(file)).toEqual([])
    const shapes = exportedDatapoints(file)
    expect(shapes).toHaveLength(20)
    expect(shapes.filter(({ accessType }) => accessType !== 'READ').map(({ name }) => name)).toEqual(['Charge power'])
  })
})

describe('the line of a fleet', () => {
  test('has rates since the line before', () => {
    expect(sayStatus(STATUS, undefined, 0)).toBe(
      '9,950 of 10,000 connected · 380,000 values confirmed · 20 waiting · 7 batches sent again · 500 commands',
    )
    const before = { status: { ...STATUS, confirmedValues: 180_000, commands: 400 }, at: 0 }
    expect(sayStatus(STATUS, before, 5_000)).toContain('380,000 values confirmed (40,000/s)')
    expect(sayStatus(STATUS, before, 5_000)).toContain('500 commands (20/s)')
  })

  test('says that the broker refuses logins', () => {
    expect(sayStatus({ ...STATUS, refused: 50 }, undefined, 0)).toContain('50 logins or subscriptions refused')
  })

  test('at the end has the totals', () => {
    expect(sayEnd(STATUS)).toBe(
      '10,000 controllers · 380,000 values in 19,000 batches confirmed · 7 sent again · 4 overrides accepted · 500 commands · 3 connections lost',
    )
  })
})
