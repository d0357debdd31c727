import type { Alert, AlertKind } from '@plantroom/contract/alerts'
import { describe, expect, test } from 'vitest'
import { alertMail } from './alert-mail.ts'

const alert = (kind: AlertKind, closedAt: string | null): Alert => ({
  ...{ id: 'alt_1', kind, siteId: 'site_1', deviceId: 'dev_1', deviceName: 'Boiler room', details: {}, closedAt },
  ...{
    beganAt: '2030-01-01T00:00:00Z',
    openedAt: '2030-01-01T00:05:00Z',
    subject: { kind: 'datapoint', id: 'dp_1', name: 'Flow' },
  },
})
const bodyOf = (kind: AlertKind, closedAt: string | null = null) => {
  const untold = [{ alert: alert(kind, closedAt), siteName: 'Old Mill' }]
  return alertMail({ organization: 'Demo', untold, link: 'https://example.com' }).body
}

describe('a mail about an alert', () => {
  test('says what is known of a controller that is offline, and promises nothing', () => {
    expect(bodyOf('controller-offline')).toContain(
      'The controller Boiler room is offline. Since 2030-01-01T00:00:00Z. If only its connection is down, it ends its overrides on time. If it has no power, its equipment stays as it is, unless it has a failsafe: go there.',
    )
  })

  test('says what to do about equipment that could not be set back', () => {
    expect(bodyOf('not-restored')).toMatch(/Set the equipment back by hand .*, close the hold in the console\./)
  })

  test('gives no advice about what is over, or where waiting is right', () => {
    expect(bodyOf('controller-offline', '2030-01-01T01:00:00Z')).not.toContain('go there')
    expect(bodyOf('clock-wrong')).toContain('is wrong. Since 2030-01-01T00:00:00Z.\n')
  })
})
