import type { AutomaticExport, ExportDelivery, ExportTarget } from '@plantroom/contract/automatic-exports'
import { describe, expect, test } from 'vitest'
import { sentence } from '../../../parts/value.ts'
import { describeDelivery, describeSchedule, describeTarget } from './describe-export.ts'
import {
  bodyOf,
  errorsOfForm,
  errorsOfTarget,
  formOf,
  givenAgain,
  hasErrors,
  kindsFor,
  newTarget,
} from './export-form.ts'

const STATE = { lastSuccessAt: null, failingSince: null, lastError: null, nextAttemptAt: null, cleanupError: null }
const WEBDAV: ExportTarget = {
  ...{ ...STATE, id: 'target_1', label: 'WebDAV a.example/b/' },
  webdav: { url: 'https://a.example/b/', user: 'me' },
}
const STORED: AutomaticExport = {
  enabled: true,
  schedule: { every: 'week', weekday: 'fri', at: '03:15' },
  retention: { keep: 30, unit: 'days' },
  targets: [WEBDAV],
  ...{ nextRunAt: null, stoppedReason: null, lastSuccessAt: null, failingSince: null, lastError: null },
}
const timeOf = (at: string) => `<${at}>`

describe('the form of an automatic export', () => {
  test('gives back what is stored, without the secret', () => {
    expect(bodyOf(formOf(STORED))).toEqual({
      enabled: true,
      schedule: STORED.schedule,
      retention: STORED.retention,
      targets: [{ id: 'target_1', webdav: WEBDAV.webdav }],
    })
    expect(hasErrors(formOf(STORED))).toBe(false)
    expect(givenAgain(WEBDAV)).toEqual({ id: 'target_1', webdav: WEBDAV.webdav })
  })

  test('sends only the fields of the chosen schedule', () => {
    const form = formOf(STORED)
    expect(bodyOf({ ...form, every: 'hours' }).schedule).toEqual({ every: 'hours', hours: 24 })
    expect(bodyOf({ ...form, every: 'month', day: 31 }).schedule).toEqual({ every: 'month', day: 31, at: '03:15' })
  })

  test('asks for what is missing', () => {
    expect(Object.keys(errorsOfTarget(newTarget(0)))).toEqual(['bucket', 'accessKeyId', 'secret'])
    expect(Object.keys(errorsOfTarget({ ...newTarget(0), kind: 'webdav' }))).toEqual(['url', 'user', 'secret'])
    expect(errorsOfTarget({ ...newTarget(0), kind: 'folder' })).toEqual({})
    expect(errorsOfForm({ ...formOf(null), every: 'hours', hours: '', keep: 1.5 })).toMatchObject({
      hours: 'Enter a whole number from 1 to 168.',
      keep: 'Enter a whole number from 1 to 1,000.',
    })
  })

  test('offers a folder only where the service does, or where one is set', () => {
    expect(kindsFor(['s3', 'webdav'], 's3')).toEqual(['s3', 'webdav'])
    expect(kindsFor(['s3', 'webdav'], 'folder')).toEqual(['s3', 'webdav', 'folder'])
  })
})

describe('the words for an automatic export', () => {
  test('name local times with their zone', () => {
    expect(describeSchedule(STORED.schedule, 'Europe/Tallinn')).toBe('Every week on Friday at 03:15 (Europe/Tallinn)')
    expect(describeSchedule({ every: 'hours', hours: 1 }, 'UTC')).toBe('Every hour')
  })

  test('say how long a target has been failing and what comes next', () => {
    const failing = { failingSince: 'A', lastError: 'no space left', nextAttemptAt: 'B', lastSuccessAt: 'C' }
    expect(describeTarget({ ...WEBDAV, ...failing }, timeOf)).toEqual([
      'Failing since <A>: No space left.',
      'Next attempt <B>.',
      'Last package <C>',
    ])
    expect(describeTarget(WEBDAV, timeOf)).toEqual(['No package yet'])
  })

  test('say what became of a package', () => {
    const delivery: ExportDelivery = {
      ...{ targetId: 't', label: 'S3 a/', state: 'waiting', attempts: 0, filename: 'x.fpl' },
      ...{ deliveredAt: null, nextAttemptAt: 'N', removedAt: null, error: null },
    }
    const words = (changes: Partial<ExportDelivery>) => describeDelivery({ ...delivery, ...changes }, timeOf)
    expect(words({})).toBe('S3 a/: on its way')
    expect(words({ attempts: 2, error: 'no answer' })).toBe('S3 a/: next attempt <N>. No answer.')
    expect(words({ state: 'delivered', deliveredAt: 'D' })).toBe('S3 a/: arrived <D>')
    expect(words({ state: 'delivered', deliveredAt: 'D', removedAt: 'R' })).toBe('S3 a/: arrived <D>, removed <R>')
    expect(words({ state: 'failed', error: 'gone' })).toBe('S3 a/: failed. Gone.')
    expect(sentence(null)).toBe('')
  })
})
