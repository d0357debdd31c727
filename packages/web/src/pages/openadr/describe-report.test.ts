import type { OpenadrReport } from '@plantroom/contract/openadr'
import { expect, test } from 'vitest'
import { describeAnswer, describeSending } from './describe-report.ts'
import { minutes } from './testing/examples.ts'

const aReport = (changes: Partial<OpenadrReport> = {}): OpenadrReport => ({
  id: 'rep_1',
  programId: 'prg_1',
  programName: 'Grid company',
  eventId: 'evt',
  eventName: null,
  payloads: ['USAGE'],
  resources: ['battery'],
  from: minutes(0),
  to: minutes(15),
  dueAt: minutes(15),
  state: 'waiting',
  attempts: 0,
  sentAt: null,
  nextAttemptAt: minutes(16),
  status: null,
  answer: null,
  error: null,
  ...changes,
})
const timeOf = () => '12:00'

test('says when a report was sent, is due, or is tried again', () => {
  expect(describeSending(aReport({ state: 'sent', sentAt: minutes(16), attempts: 2 }), timeOf)).toBe('Sent 12:00')
  expect(describeSending(aReport(), timeOf)).toBe('Due 12:00')
  expect(describeSending(aReport({ attempts: 1 }), timeOf)).toBe('Not sent after 1 attempt. Next attempt 12:00')
  expect(describeSending(aReport({ state: 'refused', attempts: 2, nextAttemptAt: null }), timeOf)).toBe('2 attempts')
})

test('says what the VTN said, or why there is no answer', () => {
  expect(describeAnswer(aReport({ state: 'sent', status: 201 }))).toEqual([])
  expect(describeAnswer(aReport({ state: 'refused', status: 400, answer: 'clientName is unknown' }))).toEqual([
    'Status 400',
    'clientName is unknown',
  ])
  expect(describeAnswer(aReport({ error: 'the VTN did not answer within 10 s' }))).toEqual([
    'The VTN did not answer within 10 s.',
  ])
})
