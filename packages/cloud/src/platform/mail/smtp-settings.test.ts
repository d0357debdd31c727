import { describe, expect, test } from 'vitest'
import { readSmtpUrl } from './smtp-settings.ts'

const from = (url: string, publicUrl?: string) => readSmtpUrl(url, publicUrl).from

describe('SMTP_URL', () => {
  test('may name the sender, which is not passed to nodemailer as an option', () => {
    expect(readSmtpUrl('smtp://mail.example.ee:587/?from=house@example.ee&requireTLS=true', undefined)).toEqual({
      url: 'smtp://mail.example.ee:587/?requireTLS=true',
      from: 'house@example.ee',
    })
  })

  test('uses its user as sender when that is an email address', () => {
    expect(from('smtps://house%40example.ee:secret@mail.example.ee', 'https://plantroom.example')).toBe(
      'house@example.ee',
    )
    expect(from('smtp://apikey:secret@mail.example.ee')).toBe('plantroom@mail.example.ee')
  })

  test('otherwise uses plantroom at the host of this service or of the mail server', () => {
    expect(from('smtp://mail.example.ee', 'https://rooms.example.ee:8443')).toBe('plantroom@rooms.example.ee')
    expect(from('smtp://mail.example.ee', 'http://127.0.0.1:8080')).toBe('plantroom@mail.example.ee')
    expect(from('smtp://127.0.0.1:2525', 'http://localhost:8080')).toBe('plantroom@localhost')
    expect(from('smtp://[::1]:2525')).toBe('plantroom@localhost')
  })

  test.each(['mail.example.ee', 'http://mail.example.ee', 'smtp://', 'smtp:///x', 'smtp:mail', ''])(
    'is refused when it names no mail server: %j',
    (url) => {
      expect(() => readSmtpUrl(url, undefined)).toThrow('smtp:// or smtps://')
    },
  )

  test.each(['nobody', 'a@b@c', 'a b@c.ee', 'a@b.ee\r\nBcc:c@d.ee', ''])(
    'is refused with a sender that is none: %j',
    (sender) => {
      expect(() => from(`smtp://mail.example.ee/?from=${encodeURIComponent(sender)}`)).toThrow('its "from"')
    },
  )
})
