import { ALERT_KINDS } from '@plantroom/contract/alerts'
import { expect, test } from 'vitest'
import { adviseOn, describeAlert } from './describe-alert.ts'

test.each(ALERT_KINDS)('says what %s is about', (kind) => {
  const subject = { kind: 'connection', id: 'con_1', name: 'Inverter' } as const
  const sentence = describeAlert({ kind, subject, deviceName: 'Plant room' })
  expect(sentence).toMatch(/Inverter|Plant room/)
  expect(sentence).not.toMatch(/[{}]/)
  expect(adviseOn({ kind })).toMatch(/^[A-Z].*\.$/)
})
