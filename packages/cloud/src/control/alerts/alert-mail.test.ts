import { ALERT_KINDS, type Alert, type AlertKind, NOT_WORKED_ON } from '@plantroom/contract/alerts'
import { describe, expect, test } from 'vitest'
import { alertMail } from './alert-mail.ts'

const alert = (kind: AlertKind, closedAt: string | null): Alert => ({
  ...NOT_WORKED_ON,
  ...{ id: 'alt_1', kind, siteId: 'site_1', deviceId: 'dev_1', deviceName: 'Boiler room', details: {}, closedAt },
  ...{
    beganAt: '2030-01-01T00:00:00Z',
    openedAt: '2030-01-01T00:05:00Z',
    subject: { kind: 'datapoint', id: 'dp_1', name: 'Flow' },
  },
})
const bodyOf = (kind: AlertKind, closedAt: string | null = null) => {
  const unsent = [{ alert: alert(kind, closedAt), siteName: 'Old Mill' }]
  return alertMail({ organization: 'Demo', unsent, link: 'https://example.com' }).body
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

  test('has a sentence for each kind', () => {
    const sentences = ALERT_KINDS.map((kind) => /^- Old Mill: (.*?\.) Since/m.exec(bodyOf(kind))?.[1])
    expect(sentences).toEqual([
      'The controller Boiler room is offline.',
      'The controller Boiler room has lost its connection to Flow.',
      'Flow of the controller Boiler room does not take its setpoint.',
      'Flow of the controller Boiler room could not be set back.',
      'The site of the controller Boiler room was above its power limit.',
      'The OpenADR program Flow cannot be reached.',
      'Events of the OpenADR program Flow could not be placed.',
      'The clock of the controller Boiler room is wrong.',
      'The import of Flow failed.',
      'The automatic export to Flow failed.',
      'The disk of the controller Boiler room is almost full.',
      'The controller Boiler room cannot keep its memory on its disk, and takes no override.',
      'The controller Boiler room had lost its memory.',
      'The controller Boiler room went back to what it ran before a commissioning file.',
      'Measurements of the controller Boiler room are missing.',
    ])
  })

  test('says why an automatic export failed, on one line, shortened', () => {
    const failed = { ...alert('export-failed', null), details: { reason: `no\nanswer ${'x'.repeat(400)}` } }
    const { body } = alertMail({ organization: 'Demo', unsent: [{ alert: failed, siteName: 'Old Mill' }], link: '' })
    expect(body).toMatch(/ Why: no answer x{290}\. Open Import \/ Export of the site, correct it and run it;/)
  })
})

describe('a mail about several alerts', () => {
  const about = (began: number, ended: number) => {
    const list = (count: number, closedAt: string | null) =>
      Array.from({ length: count }, () => ({ alert: alert('clock-wrong', closedAt), siteName: 'Old Mill' }))
    const unsent = [...list(began, null), ...list(ended, '2030-01-01T01:00:00Z')]
    return alertMail({ organization: 'Demo', unsent, link: 'https://example.com' })
  }

  test.each([
    [1, 0, 'The clock of the controller Boiler room is wrong'],
    [0, 1, 'Over: The clock of the controller Boiler room is wrong'],
    [2, 0, '2 alerts began'],
    [0, 2, '2 alerts ended'],
    [2, 1, '2 alerts began, 1 ended'],
  ])('says in its subject what happened: %i began, %i ended', (began, ended, subject) => {
    expect(about(began, ended).subject).toBe(subject)
  })

  test('lists what began, then what ended, and who chooses its readers', () => {
    const sentence = 'The clock of the controller Boiler room is wrong. Since 2030-01-01T00:00:00Z'
    expect(about(1, 1).body.split('\n')).toEqual([
      'Began:',
      `- Old Mill: ${sentence}.`,
      '',
      'Ended:',
      `- Old Mill: ${sentence} until 2030-01-01T01:00:00Z.`,
      '',
      'https://example.com',
      '',
      '-- ',
      'Demo: an administrator chooses who receives this message, under "Alerts and webhooks".',
      '',
    ])
    expect(about(0, 1).body).not.toContain('Began')
    expect(about(1, 0).body).not.toContain('Ended')
  })

  test('lists 50 of them, and counts the others', () => {
    const lines = (count: number) => about(count, 0).body.match(/^- .*/gm) ?? []
    expect(lines(50)).toHaveLength(50)
    expect([lines(51).length, lines(51).at(-1)]).toEqual([51, '- and 1 more, which the console lists.'])
  })

  test('has one line for controllers that are lost together, and for what one of them takes along', () => {
    const lost = Array.from({ length: 60 }, (_, index) => {
      const about = { deviceId: `dev_${index}`, deviceName: `Roof ${index}` }
      return { alert: { ...alert('controller-offline', null), ...about }, siteName: 'Old Mill' }
    })
    const lines = ({ body }: { body: string }) => body.match(/^- .*/gm)
    const away = { organization: 'Demo', link: '', unsent: lost }
    expect(lines(alertMail(away))).toEqual([
      expect.stringMatching(
        /^- Old Mill: The controller Roof 0 is offline\. Since \S+\. The same on 59 other controllers: Roof 1, Roof 2, Roof 3, Roof 4, Roof 5, 54 more\. If only/,
      ),
    ])
    const taken = { alert: { ...alert('connection-lost', null), deviceId: 'dev_0' }, siteName: 'Old Mill' }
    const alone = alertMail({ ...away, unsent: [...lost.slice(0, 1), taken, taken] })
    expect(lines(alone)).toEqual([expect.stringContaining('This explains 2 other alerts there. If only')])
  })

  test('shortens names of more than 80 characters, and keeps them on one line', () => {
    const named = (siteName: string) =>
      alertMail({ organization: 'Demo', unsent: [{ alert: alert('clock-wrong', null), siteName }], link: '' }).body
    expect(named('😀'.repeat(80))).toContain(`- ${'😀'.repeat(80)}: `)
    expect(named('😀'.repeat(81))).toContain(`- ${'😀'.repeat(79)}…: `)
    expect(named('Old\r\nMill')).toMatch(/^- Old +Mill: /m)
  })

  test('says nothing of a controller where there is none', () => {
    const nowhere = { ...alert('clock-wrong', null), deviceName: null }
    const unsent = [{ alert: nowhere, siteName: 'Old Mill' }]
    expect(alertMail({ organization: 'Demo', unsent, link: '' }).subject).toBe('The clock of the controller  is wrong')
  })
})
