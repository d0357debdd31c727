import { describe, expect, test } from 'vitest'
import {
  describeConnection,
  describePolling,
  describeProblems,
  describeSites,
  describeState,
} from './describe-program.ts'
import { aProgram, minutes, NOW } from './testing/examples.ts'

const when = { now: NOW, timeZone: 'UTC' }

describe('a program', () => {
  test('says when the VTN was asked last', () => {
    expect(describeState(aProgram({ polledAt: new Date(NOW - 12_000).toISOString() }), when)).toBe(
      'Connected, asked 12 s ago',
    )
  })

  test('says since when it fails, and what the service says to do', () => {
    const problem = 'the VTN answers 401. Ask its operator for a new secret'
    expect(describeState(aProgram({ state: 'failing', failingSince: minutes(-2), problem }), when)).toMatch(
      /^Failing since \d\d:\d\d UTC: the VTN answers 401\. Ask its operator for a new secret\.$/,
    )
    expect(describeState(aProgram({ state: 'failing', problem: null }), when)).toBe('Failing: The VTN does not answer.')
  })

  test('says that it is new or paused', () => {
    const next = aProgram({ state: 'new', polledAt: null, nextPollAt: null })
    expect(describeState(next, when)).toBe('The VTN has not been asked yet.')
    expect(describeState(aProgram({ state: 'paused' }), when)).toContain('nothing is placed')
  })

  test('says how it speaks with its VTN', () => {
    expect(describeConnection(aProgram({ notifications: 'mqtt' }))).toBe(
      'vtn.example.com · OpenADR 3.1 · OpenADR Alliance 3.1 · asked every 1 min · announces changes by MQTT',
    )
  })

  test('says why changes wait for the next poll', () => {
    expect(describePolling(aProgram({ notifications: 'webhook' }))).toBeUndefined()
    const notificationProblem = 'its operator sets PLANTROOM_PUBLIC_URL'
    expect(describePolling(aProgram({ notificationProblem }))).toBe(
      'Changes arrive with the next poll, because the VTN cannot announce them: its operator sets PLANTROOM_PUBLIC_URL.',
    )
  })

  test('lists what a person has to do', () => {
    expect(describeProblems(aProgram())).toEqual([])
    const found = describeProblems(
      aProgram({
        mapping: { resources: [], silenceSeconds: 3600 },
        missingPrograms: ['Summer', 'Winter'],
        missingDatapoints: ['dp_1'],
        clockOffsetMs: -12_000,
      }),
    )
    expect(found).toHaveLength(4)
    expect(found[0]).toContain('No resource is mapped')
    expect(found[1]).toContain('Summer and Winter')
    expect(found[2]).toContain('dp_1')
    expect(found[3]).toContain('12 s behind ours')
  })

  test('accepts a clock within the tolerance of its profile', () => {
    expect(describeProblems(aProgram({ clockOffsetMs: 5000 }))).toEqual([])
    expect(describeProblems(aProgram({ clockOffsetMs: 5001 }))[0]).toContain('ahead of ours')
  })

  test('names its sites, as far as the person knows them', () => {
    expect(describeSites([], [])).toBe('No sites are mapped')
    expect(describeSites(['a', 'b'], [{ id: 'a', name: 'School' }])).toBe(
      'Sites: School and a site that you do not manage',
    )
  })
})
