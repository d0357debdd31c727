import type { Delivery, Webhook } from '@plantroom/contract/webhooks'
import { expect, test } from 'vitest'
import { describeAnswer, describeDelivery, describeSites, describeState, hostOf } from './describe-webhook.ts'

const WEBHOOK = { state: 'active', disabledReason: null, failingSince: null, previousSecretUntil: null } as Webhook
const DELIVERY = {
  state: 'waiting',
  attempts: 0,
  nextAttemptAt: null,
  status: null,
  response: null,
  error: null,
} as Delivery
const at = (time: string) => `at ${time}`

test('a webhook says whether it works, and why not', () => {
  expect(describeState(WEBHOOK, at)).toBe('Active')
  expect(describeState({ ...WEBHOOK, failingSince: 'noon' }, at)).toBe('Failing since at noon')
  expect(describeState({ ...WEBHOOK, state: 'disabled' }, at)).toBe('Disabled')
  expect(describeState({ ...WEBHOOK, state: 'disabled', disabledReason: 'gone' }, at)).toBe('Disabled: gone')
  expect(describeState({ ...WEBHOOK, previousSecretUntil: 'noon' }, at)).toBe(
    'Active. Deliveries are also signed with the previous secret until at noon.',
  )
})

test('a delivery says what came of it, and what the receiver answered', () => {
  expect(describeDelivery(DELIVERY, at)).toBe('Waiting to be sent')
  expect(describeDelivery({ ...DELIVERY, attempts: 2, nextAttemptAt: 'noon' }, at)).toBe(
    'Next attempt at noon (2 so far)',
  )
  expect(describeDelivery({ ...DELIVERY, state: 'delivered', attempts: 1 }, at)).toBe('Delivered')
  expect(describeDelivery({ ...DELIVERY, state: 'failed', attempts: 1 }, at)).toBe('Failed after 1 attempt')
  expect(describeAnswer({ ...DELIVERY, error: 'no answer' })).toEqual(['no answer'])
  expect(describeAnswer({ ...DELIVERY, status: 500, error: 'it answered 500', response: 'no' })).toEqual([
    'Status 500',
    'no',
  ])
})

test('names hosts and sites', () => {
  expect(hostOf('https://a.example:8443/path')).toBe('a.example:8443')
  expect(describeSites(null, [])).toBe('All sites')
  expect(describeSites(['1', '2'], [{ id: '1', name: 'One' }])).toBe('One, Removed site')
})
