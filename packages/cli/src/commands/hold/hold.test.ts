import type { ServerEvent } from '@plantroom/client/events'
import type { LiveDevice } from '@plantroom/contract/control-state'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../command.ts'
import { hold } from './hold.ts'
import { holdsTable, listHolds } from './hold-list.ts'
import { firstState } from './live-state.ts'

const AT = '2030-01-01T12:00:00.000Z'
const STATE: LiveDevice = {
  ...{ at: AT, clockSuspect: false, overrides: [] },
  connections: [
    {
      ...{ connectionId: 'con_1', status: 1, error: null, timestamp: AT },
      values: { dp_1: { value: 18, timestamp: AT }, dp_2: { value: null, timestamp: AT, error: 'timeout' } },
    },
  ],
  holds: [
    {
      ...{ datapointId: 'dp_1', state: 'releasing', by: 'plain', value: 21, overrideId: null, until: null },
      ...{ next: { by: 'plain', value: 21 }, beneath: { by: 'plain', value: 21 } },
      ...{ trouble: 'not-taken', troubleReason: 'still at 18' },
    },
    {
      ...{ datapointId: 'dp_2', state: 'writing', by: 'demand-response', value: 5, overrideId: 'ovr_1', until: AT },
      ...{ next: { by: 'plain', value: null }, beneath: { by: 'plain', value: null } },
      ...{ trouble: null, troubleReason: null },
    },
  ],
}

describe('plantroom hold', () => {
  test.each([
    [['list', 'dev_1', 'dev_2'], 'unexpected argument dev_2'],
    [['close', 'dev_1'], 'DATAPOINT is missing'],
    [['close', 'dev_1', 'Flow', '--reason', 'x'], '--outcome restored-by-hand|abandoned is missing'],
    [['close', 'dev_1', 'Flow', '--outcome', 'done', '--reason', 'x'], '--outcome must be one of restored-by-hand'],
    [['close', 'dev_1', 'Flow', '--outcome', 'abandoned'], '--reason TEXT is missing'],
    [['close', 'dev_1', 'Flow', '--outcome', 'abandoned', '--reason', ' '], '--reason TEXT is missing'],
    [['open'], 'unknown subcommand open; use list or close'],
  ])('%j is a usage error, reported before anything is sent', async (args, message) => {
    const error = await hold.run(args).catch((caught) => caught)
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toContain(message)
  })
})

describe('the holds of a device', () => {
  const holds = listHolds(STATE, new Map([['dp_1', 'Flow']]))

  test('have what is wanted beside what was read last', () => {
    expect(holds).toEqual([
      {
        ...{ datapointId: 'dp_1', name: 'Flow', state: 'releasing', by: 'plain', value: 21, until: null },
        ...{ lastRead: 18, lastReadAt: AT, trouble: 'not-taken', troubleReason: 'still at 18' },
      },
      {
        ...{ datapointId: 'dp_2', name: null, state: 'writing', by: 'demand-response', value: 5, until: AT },
        ...{ lastRead: null, lastReadAt: null, trouble: null, troubleReason: null },
      },
    ])
  })

  test('are a table for people', () => {
    const [header, first] = holdsTable(holds.map((hold) => ({ ...hold, device: 'Boiler', unit: '°C' }))).split('\n')
    expect(header).toMatch(/^DEVICE +ID +NAME +STATE +HELD BY +WANTED +UNTIL +LAST READ +READ AT +TROUBLE$/)
    expect(first).toMatch(/^Boiler +dp_1 +Flow +releasing +plain +21 °C +- +18 °C +2030\S+ +not-taken \(still at 18\)$/)
    expect(holdsTable([])).toBe('nothing is held')
  })
})

describe('the state of a device', () => {
  async function* stream(...events: [name: string, data: unknown][]): AsyncGenerator<ServerEvent> {
    for (const [name, data] of events) yield { name, data }
  }

  test('is the first live one', async () => {
    const found = await firstState(stream(['alive', {}], ['last-known', { ageMs: 1, state: {} }], ['state', STATE]))
    expect(found).toEqual({ state: STATE, silence: undefined })
  })

  test('is the last known one, with its age, of a device that does not answer', async () => {
    const found = firstState(stream(['last-known', { ageMs: 9000, state: STATE }], ['offline', { message: 'no' }]))
    expect(await found).toEqual({ state: STATE, silence: { ageMs: 9000, message: 'no' } })
  })

  test('is missing when there never was one', async () => {
    await expect(firstState(stream(['offline', { message: 'gone' }]))).rejects.toThrow('does not answer: gone')
    await expect(firstState(stream())).rejects.toThrow('try again')
  })
})
