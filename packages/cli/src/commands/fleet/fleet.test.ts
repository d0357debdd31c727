import type { DispatchOutcome } from '@plantroom/contract/fleet'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../command.ts'
import { dispatchRequest } from './dispatch-request.ts'
import { describeCancelled, describeDispatch, fleet } from './fleet.ts'

const NOW = new Date(2030, 0, 1, 12).getTime()
const iso = (ms: number) => new Date(ms).toISOString()

describe('plantroom fleet', () => {
  test.each([
    [[], 'a subcommand is missing; use dispatch, status or cancel'],
    [['dispatch', '--value', '0', '--for', '15m'], 'say what to control: --tag TAG'],
    [['dispatch', '--tag', 'a', '--for', '15m'], 'give a setpoint: --value N or --total-kw N'],
    [['dispatch', '--tag', 'a', '--value', '0', '--total-kw', '5', '--for', '15m'], 'give only one: --value N or'],
    [['dispatch', '--tag', 'a', '--value', '0kW', '--for', '15m'], '--value 0kW is not a number'],
    [['dispatch', '--tag', 'a', '--value', '0'], 'give an end: --for DURATION or --to TIME'],
    [['dispatch', '--tag', 'a', '--value', '0', '--to', '25:00'], '--to 25:00 is not a time'],
    [['dispatch', '--tag', 'a', '--value', '0', '--for', '1h', '--within', '1m', '--deadline', '13:00'], 'only one of'],
    [['status'], 'ID is missing'],
    [['cancel', 'a', 'b'], 'unexpected argument b'],
  ])('%j is a usage error, reported before anything is sent', async (args, message) => {
    const error = await fleet.run(args).catch((caught) => caught)
    expect(error).toBeInstanceOf(UsageError)
    expect(error.message).toContain(message)
  })
})

describe('the dispatch that flags describe', () => {
  test('starts now, and tries for a minute', () => {
    expect(dispatchRequest({ tag: ['a', 'b'], value: '-20', for: '15m', from: 'now' }, NOW)).toEqual({
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
      select: { tags: ['a', 'b'] },
      ...{ value: -20, to: iso(NOW + 900_000), deadline: iso(NOW + 60_000) },
    })
  })

  test('has every part that is given', () => {
    const ids = { device: ['d'], site: ['s'], datapoint: ['p'] }
    const times = { from: iso(NOW + 1000), for: '30s', deadline: iso(NOW + 5000), stagger: '90s' }
    const flags = { ...ids, ...times, 'total-kw': '5.5', reason: 'r', 'idempotency-key': 'k' }
    expect(dispatchRequest(flags, NOW)).toEqual({
      ...{ idempotencyKey: 'k', select: { deviceIds: ['d'], siteIds: ['s'], datapointIds: ['p'] }, totalKw: 5.5 },
      ...{ from: iso(NOW + 1000), to: iso(NOW + 31_000), deadline: iso(NOW + 5000), staggerSeconds: 90, reason: 'r' },
    })
  })

  test('ends at the next time of day, and tries no longer than that', () => {
    const end = (to: string) => {
      const request = dispatchRequest({ tag: ['a'], value: '0', to }, NOW)
      return [new Date(request.to).getTime() - NOW, new Date(request.deadline).getTime() - NOW]
    }
    expect(end('18:00')).toEqual([6 * 3_600_000, 60_000])
    expect(end('11:30')).toEqual([23.5 * 3_600_000, 60_000])
    expect(end(iso(NOW + 30_000))).toEqual([30_000, 30_000])
  })
})

describe('a dispatch for people', () => {
  const counts = { accepted: 2, refused: 1, offline: 0, expired: 1, pending: 0, cancelled: 0 }
  const outcome = (about: Partial<DispatchOutcome>): DispatchOutcome => ({
    ...{
      deviceId: 'dev',
      siteId: 'site',
      datapointId: 'dp',
      deviceName: null,
      datapointName: null,
      unit: null,
      value: 0,
      from: '',
      to: '',
      reqId: '',
      settledAt: null,
    },
    ...{ outcome: 'accepted', overrideId: null, reason: null, release: null },
    ...about,
  })

  test('lists what was not accepted, without control characters of a controller', () => {
    const outcomes = [
      outcome({}),
      outcome({ outcome: 'refused', reason: 'no\u001B[2J' }),
      outcome({ outcome: 'expired' }),
    ]
    const text = describeDispatch({ id: 'dsp_1', state: 'completed', counts, releasing: 1 }, outcomes)
    expect(text).toContain('dispatch dsp_1 is completed: 2 accepted, 1 refused, 1 expired\n1 may still be held')
    expect(text.split('\n')).toHaveLength(5)
    expect(text).not.toContain('\u001B')
  })

  test('that is cancelled says what controllers must still release', () => {
    expect(describeCancelled('x', { state: 'cancelled', releasing: 0 })).toMatch(/every controller has released it$/)
    expect(describeCancelled('x', { state: 'cancelled', releasing: 3 })).toMatch(/must still release 3/)
    expect(describeCancelled('x', { state: 'completed', releasing: 0 })).toMatch(/is over/)
  })
})
