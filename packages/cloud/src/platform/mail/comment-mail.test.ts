import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commentMail } from './comment-mail.ts'

const COMMENT = {
  siteName: 'Õunaaia 3',
  requestNumber: 12,
  requestTitle: 'Kraan tilgub',
  authorName: 'Jüri',
  content: 'We come on Monday.\n\nJüri',
}

describe('the mail about a staff comment', () => {
  test('names the request in its subject; its body has the author, the comment and the reason', () => {
    expect(commentMail(COMMENT)).toEqual({
      subject: '[#12] Kraan tilgub',
      body: [
        'Jüri commented on your request #12, "Kraan tilgub":',
        '',
        'We come on Monday.',
        '',
        'Jüri',
        '',
        '-- ',
        'Õunaaia 3: you receive this message because you reported request #12.',
        '',
      ].join('\n'),
    })
  })

  test.each([null, undefined, '', ' \n'])(
    'is from the maintenance staff when the author has no name: %j',
    (authorName) => {
      expect(commentMail({ ...COMMENT, authorName }).body).toMatch(/^The maintenance staff commented/)
    },
  )

  test.each([
    'Tap\r\nBcc: everyone@example.ee',
    'Tap\nBcc: everyone@example.ee',
    'Tap\rBcc: everyone@example.ee',
    'Tap\u2028Bcc: everyone@example.ee',
    'Tap\u0085Bcc: everyone@example.ee',
    'Tap\0\u001b Bcc: everyone@example.ee',
    'Tap\u202eBcc: everyone@example.ee',
  ])('has a subject of one line for any title: %j', (requestTitle) => {
    const { subject, body } = commentMail({ ...COMMENT, requestTitle })
    expect(subject).toBe('[#12] Tap Bcc: everyone@example.ee')
    expect(body).toContain('"Tap Bcc: everyone@example.ee":\n')
  })

  test('shortens a long title between characters', () => {
    const { subject } = commentMail({ ...COMMENT, requestTitle: '🔧'.repeat(255) })
    expect(subject).toBe(`[#12] ${'🔧'.repeat(149)}…`)
  })

  test('keeps the lines of a comment and drops control characters', () => {
    const content = 'One\r\nTwo\rThree\n\tfour\0\u001b[31m\u0007'
    expect(commentMail({ ...COMMENT, content }).body).toContain('\n\nOne\nTwo\nThree\n\tfour[31m\n\n')
  })

  test('is storable text with a subject of one line, for any input', () => {
    const words = fc.string({ unit: 'binary', maxLength: 60 })
    fc.assert(
      fc.property(words, words, words, words, (siteName, requestTitle, authorName, content) => {
        const { subject, body } = commentMail({ siteName, requestNumber: 1, requestTitle, authorName, content })
        expect(subject).toMatch(/^\[#1\] [^\p{Cc}\p{Zl}\p{Zp}]*$/u)
        expect(body).toMatch(/^[^\p{Cc}]*$/mu)
        expect(`${subject}${body}`.isWellFormed() && !`${subject}${body}`.includes('\0')).toBe(true)
      }),
    )
  })
})
