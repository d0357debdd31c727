import { describe, expect, test } from 'vitest'
import { UsageError } from '../command.ts'
import { describeCheck, eventNamed, idOf, openadr } from './openadr.ts'

const PROGRAMS = [
  { id: 'adr_1', name: 'Utility' },
  { id: 'adr_2', name: 'Twin' },
  { id: 'adr_3', name: 'Twin' },
]

describe('plantroom openadr', () => {
  test.each([
    [[], 'a subcommand is missing'],
    [['check'], 'PROGRAM is missing'],
    [['add'], 'FILE is missing'],
    [['opt-out'], 'EVENT is missing'],
    [['opt-out', 'Peak'], '--reason'],
  ])('%j is a usage error, reported before anything is sent', async (args, message) => {
    const error = await openadr.run(args).catch((caught) => caught)
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toContain(message)
  })

  test('finds a program by its id or its name, unless several have it', () => {
    expect([idOf(PROGRAMS, 'adr_2'), idOf(PROGRAMS, 'Utility')]).toEqual(['adr_2', 'adr_1'])
    expect(() => idOf(PROGRAMS, 'Twin')).toThrow(/2 programs are called Twin/)
    expect(() => idOf(PROGRAMS, 'None')).toThrow(/no OpenADR program None/)
  })

  test('finds an event by an id, or by a name that one running or coming event has', () => {
    const event = (id: string, state: 'active' | 'ended', eventName = 'Peak') => ({
      id,
      eventId: `vtn-${id}`,
      eventName,
      state,
    })
    const events = [
      event('evt_1', 'ended'),
      event('evt_2', 'active'),
      event('evt_3', 'active', 'Twin'),
      event('evt_4', 'active', 'Twin'),
    ]
    const found = ['evt_1', 'vtn-evt_2', 'Peak'].map((given) => eventNamed(events, given).id)
    expect(found).toEqual(['evt_1', 'evt_2', 'evt_2'])
    expect(() => eventNamed(events, 'Twin')).toThrow(/2 events are called Twin/)
    expect(() => eventNamed(events, 'None')).toThrow(/no running or coming event None/)
  })

  test('shows each step of a check, with what to ask', () => {
    const steps = [
      { step: 'token', state: 'failed', message: 'POST token: 401', ask: 'Is the secret right?' },
      { step: 'programs', state: 'skipped', message: 'not tried', ask: null },
    ] as const
    const text = describeCheck({ at: 'T', ok: false, steps: [...steps] })
    expect(text.split('\n')).toHaveLength(4)
    expect(text).toContain('ask: Is the secret right?')
    expect(text).toMatch(/does not work$/)
  })
})
