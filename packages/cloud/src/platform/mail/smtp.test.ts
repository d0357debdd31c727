import { describe, expect, test } from 'vitest'
import { makeCertificate } from '../broker/testing/certificate.ts'
import { createSmtp } from './smtp.ts'
import { bodyOf, decoded, header, startMailServer } from './testing/mail-server.ts'

const FROM = 'plantroom@example.ee'
const MAIL = {
  id: 'mail_1',
  recipient: 'mari@example.ee',
  subject: 'Õhk on külm 🔧',
  body: 'Tere!\n.\nÕhtul tuleme.\n',
}
const smtpAt = (url: string) => createSmtp({ url, from: FROM })
const refusal = (responseCode: number, words: string) => Object.assign(new Error(words), { responseCode })

describe('a mail', () => {
  test('arrives unchanged, with the same id in every attempt', async () => {
    const server = await startMailServer()
    const smtp = smtpAt(server.url)
    expect([await smtp.send(MAIL), await smtp.send(MAIL)]).toEqual([{ kind: 'sent' }, { kind: 'sent' }])
    const [first, second] = server.delivered
    expect(first).toMatchObject({ from: FROM, to: ['mari@example.ee'] })
    const raw = first?.raw ?? ''
    expect(decoded(header(raw, 'Subject'))).toBe(MAIL.subject)
    expect(bodyOf(raw).replaceAll('\r\n', '\n').trim()).toBe(MAIL.body.trim())
    expect(header(raw, 'To')).toBe('mari@example.ee')
    expect(header(raw, 'Content-Type')).toBe('text/plain; charset=utf-8')
    expect(header(raw, 'Auto-Submitted')).toBe('auto-generated')
    expect(header(raw, 'Message-ID')).toBe('<mail_1@example.ee>')
    expect(header(second?.raw ?? '', 'Message-ID')).toBe('<mail_1@example.ee>')
  })

  test('cannot inject headers through its subject', async () => {
    const server = await startMailServer()
    await smtpAt(server.url).send({ ...MAIL, subject: 'Tap\r\nBcc: everyone@example.ee\r\n\r\n<html>' })
    const [{ raw, to } = { raw: '', to: [] }] = server.delivered
    expect([header(raw, 'Bcc'), to]).toEqual([undefined, ['mari@example.ee']])
    expect(header(raw, 'Subject')).toContain('Tap')
    expect(bodyOf(raw)).not.toContain('<html>')
  })

  test.each([
    'mari@example.ee\r\nRCPT TO:<juri@example.ee>',
    'mari@example.ee> SIZE=1',
    'a@b.ee\nDATA',
    'mari@example.ee, juri@example.ee',
    'Mari <mari@example.ee>',
    'mari',
    '',
  ])('is refused when the recipient is not an address: %j', async (recipient) => {
    const server = await startMailServer()
    expect(await smtpAt(server.url).send({ ...MAIL, recipient })).toMatchObject({ kind: 'refused' })
    expect(server.delivered).toEqual([])
  })
})

describe('an answer of the server', () => {
  test.each([
    [550, 'refused'],
    [450, 'deferred'],
    [421, 'unreachable'],
  ] as const)('of the recipient with %d is told as %s, with its words', async (code, kind) => {
    const server = await startMailServer({
      onRcptTo: (_address, _session, done) => done(refusal(code, 'No such user')),
    })
    expect(await smtpAt(server.url).send(MAIL)).toEqual({ kind, reason: expect.stringContaining('No such user') })
  })

  test.each([
    [554, 'refused'],
    [451, 'deferred'],
  ] as const)('of the message with %d is told as %s', async (code, kind) => {
    const server = await startMailServer({
      onData(stream, _session, done) {
        stream.resume().on('end', () => done(refusal(code, 'Looks like spam')))
      },
    })
    expect(await smtpAt(server.url).send(MAIL)).toEqual({ kind, reason: expect.stringContaining('Looks like spam') })
  })

  test('about the sender does not fail the mail', async () => {
    const server = await startMailServer({ onMailFrom: (_address, _session, done) => done(refusal(550, 'Not you')) })
    expect(await smtpAt(server.url).send(MAIL)).toMatchObject({ kind: 'unreachable' })
  })

  test('about the password does not fail the mail, and the reason does not contain the password', async () => {
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('Invalid')),
    })
    const url = server.url.replace('smtp://', 'smtp://house:secret-word@')
    const delivery = await smtpAt(url).send(MAIL)
    expect(delivery).toMatchObject({ kind: 'unreachable' })
    expect(JSON.stringify(delivery)).not.toContain('secret-word')
  })

  test('is missing when the server is down', async () => {
    const server = await startMailServer()
    await server.close()
    expect(await smtpAt(server.url).send(MAIL)).toEqual({
      kind: 'unreachable',
      reason: expect.stringContaining('ECONNREFUSED'),
    })
  })
})

describe('an encrypted connection', () => {
  const tls = makeCertificateOnce()

  test('is used with smtps://', async () => {
    const server = await startMailServer({ secure: true, ...tls() })
    const url = `smtps://127.0.0.1:${server.port}/?tls.rejectUnauthorized=false`
    expect(await smtpAt(url).send(MAIL)).toEqual({ kind: 'sent' })
    expect(server.delivered).toMatchObject([{ secure: true }])
  })

  test('is used with smtp:// where the server offers it', async () => {
    const server = await startMailServer({ disabledCommands: [], ...tls() })
    expect(await smtpAt(`${server.url}/?tls.rejectUnauthorized=false`).send(MAIL)).toEqual({ kind: 'sent' })
    expect(server.delivered).toMatchObject([{ secure: true }])
  })

  test('is refused when the certificate is not trusted', async () => {
    const server = await startMailServer({ disabledCommands: [], ...tls() })
    expect(await smtpAt(server.url).send(MAIL)).toMatchObject({ kind: 'unreachable' })
    expect(server.delivered).toEqual([])
  })

  test('can be required; without it nothing is sent', async () => {
    const server = await startMailServer()
    expect(await smtpAt(`${server.url}/?requireTLS=true`).send(MAIL)).toMatchObject({ kind: 'unreachable' })
    expect(server.delivered).toEqual([])
  })
})

function makeCertificateOnce() {
  let made: ReturnType<typeof makeCertificate> | undefined
  return () => (made ??= makeCertificate())
}
