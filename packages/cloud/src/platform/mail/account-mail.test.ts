import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import {
  createAccountMailer,
  factorAddedMail,
  factorsRemovedMail,
  invitationMail,
  providerLinkedMail,
  resetMail,
} from './account-mail.ts'
import { openTestOutbox, sendDue } from './testing/outbox.ts'

const LINK = 'https://plantroom.example/welcome#token'

describe('mail about an account', () => {
  test('has the link, and no header or line that the name of an organization could add', () => {
    const { subject, body } = invitationMail({ organization: 'Evil\r\nBcc: all@example.com\u202e', link: LINK })
    expect(subject).toBe('Invitation to Evil Bcc: all@example.com on Plantroom')
    expect(body.split('\n')).toContain(LINK)
    expect(factorsRemovedMail({ organization: 'Evil\r\n\r\nClick here' }).body).toContain('of Evil Click here, or')
    expect(factorAddedMail({ factor: 'a passkey' }).body).toContain('with a passkey that was added')
    expect(resetMail({ link: LINK, expiresIn: '1 hour' }).body).toContain(`${LINK}\n`)
  })

  test('says which account of a provider was linked, in one line', () => {
    const { subject, body } = providerLinkedMail({ provider: 'Example SSO', account: 'a@b.cc\r\nBcc: all@example.com' })
    expect(subject).toBe('Example SSO was linked with your Plantroom account')
    expect(body.split('\n')[0]).toBe(
      'You can now sign in to Plantroom with Example SSO, as a@b.cc Bcc: all@example.com.',
    )
    const unnamed = providerLinkedMail({ provider: 'Example SSO', account: null })
    expect(unnamed.body.split('\n')[0]).toBe('You can now sign in to Plantroom with Example SSO.')
  })

  test('is in no outbox of a site, and deleted once it is sent or given up, because it has a link', async () => {
    const { db, store, list } = await openTestOutbox()
    const mailer = createAccountMailer()
    const sent: string[] = []
    const deps = { store, clock: createManualClock(Date.now() + 60_000), log: createLog('test', 'silent') }
    await mailer.invite(db, { to: 'mari@example.ee', organization: 'Organization', link: LINK })
    await mailer.resetPassword(db, { to: 'refused@example.ee', link: LINK, expiresIn: '1 hour' })
    expect(await list()).toEqual([])
    const count = await sendDue(db, {
      ...deps,
      smtp: {
        async send({ recipient }) {
          sent.push(recipient)
          return recipient.startsWith('refused') ? { kind: 'refused', reason: 'no' } : { kind: 'sent' }
        },
      },
    })
    expect([count, sent]).toEqual([1, ['mari@example.ee', 'refused@example.ee']])
    expect(await db.selectFrom('mail').selectAll().execute()).toEqual([])
  })
})
