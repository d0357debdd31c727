import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { describeWork } from '../work/testing/describe-work.ts'
import { delayAfter, MAX_ATTEMPTS, mailDelivery } from './delivery.ts'
import { createOutboxStore } from './outbox-store.ts'
import { createSmtp, type Smtp } from './smtp.ts'
import { decoded, header, startMailServer } from './testing/mail-server.ts'
import { MAILS_PER_HOUR, openTestOutbox, REPORTER, sendDue } from './testing/outbox.ts'

const MINUTE_MS = 60_000
const log = createLog('test', 'silent')
const at = (url: string) => createSmtp({ url, from: 'plantroom@example.ee' })

async function open(smtp: Smtp) {
  const outbox = await openTestOutbox()
  const clock = createManualClock()
  return { ...outbox, clock, deps: { store: outbox.store, smtp, clock, log } }
}

const answering = (...deliveries: Awaited<ReturnType<Smtp['send']>>[]): Smtp & { sent: string[] } => {
  const sent: string[] = []
  return {
    sent,
    async send({ id }) {
      sent.push(id)
      return deliveries[Math.min(sent.length, deliveries.length) - 1] ?? { kind: 'sent' }
    },
  }
}

describe('the outbox', () => {
  test('is sent in order, every mail once', async () => {
    const server = await startMailServer()
    const { db, queue, list, deps, clock } = await open(at(server.url))
    for (const subject of ['Õhk', 'Vesi', 'Tuli']) await queue({ subject })
    expect(await sendDue(db, deps)).toBe(3)
    expect(await sendDue(db, deps)).toBe(0)
    expect(server.delivered.map(({ raw }) => decoded(header(raw, 'Subject')))).toEqual(['Õhk', 'Vesi', 'Tuli'])
    const sentAt = new Date(clock.now()).toISOString()
    for (const mail of await list()) expect(mail).toMatchObject({ state: 'sent', attempts: 1, error: null, sentAt })
  })

  test('is sent once when several senders run at the same time', async () => {
    const server = await startMailServer()
    const { db, queue, deps } = await open(at(server.url))
    const recipients = Array.from({ length: 20 }, (_, index) => `reporter-${index}@example.ee`)
    for (const recipient of recipients) await queue({ recipient })
    const senders = Array.from({ length: 4 }, () =>
      sendDue(db, { ...deps, store: createOutboxStore(db, { mailsPerHour: MAILS_PER_HOUR }) }),
    )
    const sent = await Promise.all(senders)
    expect(sent.reduce((sum, count) => sum + count)).toBe(20)
    expect(server.delivered.flatMap(({ to }) => to).sort()).toEqual(recipients.sort())
  })
})

describe('an undelivered mail', () => {
  test('fails immediately when its recipient is refused, and the next mail is sent', async () => {
    const server = await startMailServer({
      onRcptTo({ address }, _session, done) {
        done(address === REPORTER ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null)
      },
    })
    const { db, queue, list, deps } = await open(at(server.url))
    await queue()
    await queue({ recipient: 'juri@example.ee' })
    expect(await sendDue(db, deps)).toBe(1)
    expect(await list()).toMatchObject([
      { recipient: 'juri@example.ee', state: 'sent' },
      { recipient: REPORTER, state: 'failed', attempts: 1, error: expect.stringContaining('No such user') },
    ])
    expect(await sendDue(db, deps)).toBe(0)
  })

  test('waits while the server is down and is sent once it is up', async () => {
    const down = await startMailServer()
    await down.close()
    const { db, queue, list, deps, clock } = await open(at(down.url))
    await queue()
    await queue()
    expect(await sendDue(db, deps)).toBe(0)
    // The second mail was not attempted: an unreachable server is tried once.
    expect((await list()).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['waiting', 0],
      ['waiting', 1],
    ])
    const up = await startMailServer({}, down.port)
    await clock.advance(MINUTE_MS)
    expect(await sendDue(db, deps)).toBe(2)
    expect(up.delivered).toHaveLength(2)
    expect(await list()).toMatchObject([{ state: 'sent' }, { state: 'sent', attempts: 2, error: null }])
  })

  test('is retried with growing delays and finally fails, keeping the reason', async () => {
    const smtp = answering({ kind: 'deferred', reason: 'Mailbox full' })
    const { db, queue, list, deps, clock } = await open(smtp)
    await queue()
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      await sendDue(db, deps)
      clock.advanceNow(delayAfter(attempt) - 1)
      await sendDue(db, deps)
      expect(smtp.sent).toHaveLength(attempt)
      clock.advanceNow(1)
    }
    expect(await list()).toMatchObject([{ state: 'waiting', error: 'Mailbox full' }])
    await sendDue(db, deps)
    expect(await list()).toMatchObject([{ state: 'failed', attempts: MAX_ATTEMPTS, error: 'Mailbox full' }])
    clock.advanceNow(30 * 24 * 60 * MINUTE_MS)
    await sendDue(db, deps)
    expect(smtp.sent).toHaveLength(MAX_ATTEMPTS)
  })

  test('fails when every process that sends it dies', async () => {
    const smtp = answering({ kind: 'sent' })
    const { db, queue, list, deps } = await open(smtp)
    await queue()
    await db.updateTable('mail').set({ attempts: MAX_ATTEMPTS }).execute()
    await sendDue(db, deps)
    expect([smtp.sent, await list()]).toMatchObject([[], [{ state: 'failed' }]])
  })
})

test('the delays double up to an hour and add up to about three days', () => {
  const delays = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => delayAfter(index + 1) / MINUTE_MS)
  expect(delays.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  expect(Math.round(delays.reduce((sum, delay) => sum + delay) / 60 / 24)).toBe(3)
})

describeWork('the outbox', async () => {
  const { db, store, queue, clock } = await open(answering())
  const kind = mailDelivery({ store, smtp: answering(), clock, log })
  return { db, clock, kind, add: (organizationId) => queue({ organizationId }) }
})

describe('a site that sends a lot of mail', () => {
  test('waits after its share of the hour, says so in the outbox, and does not delay other sites', async () => {
    const smtp = answering({ kind: 'sent' })
    const { db, queue, list, deps, clock } = await open(smtp)
    await db.insertInto('organization').values({ id: 'org_2', name: 'Other' }).execute()
    await db.insertInto('site').values({ id: 'site_2', organization_id: 'org_2', name: 'Other' }).execute()
    for (let count = 0; count < MAILS_PER_HOUR + 2; count += 1) await queue()
    await queue({ siteId: 'site_2' })
    expect(await sendDue(db, deps)).toBe(MAILS_PER_HOUR + 1)
    const waiting = (await list(new Date(clock.now()))).filter(({ state }) => state === 'waiting')
    expect(waiting).toHaveLength(2)
    for (const mail of waiting) {
      expect(mail).toMatchObject({
        attempts: 0,
        error: expect.stringContaining(`limit of ${MAILS_PER_HOUR} mails an hour`),
      })
    }
    await clock.advance(59 * MINUTE_MS)
    expect(await sendDue(db, deps)).toBe(0)
    await clock.advance(MINUTE_MS)
    expect(await sendDue(db, deps)).toBe(2)
    expect((await list(new Date(clock.now()))).map(({ state }) => state)).not.toContain('waiting')
  })
})
