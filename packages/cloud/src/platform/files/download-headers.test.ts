import { describe, expect, test } from 'vitest'
import { attachmentDisposition, mediaType } from './download-headers.ts'

describe('the download name', () => {
  test.each([
    ['photo.jpg', `filename="photo.jpg"; filename*=UTF-8''photo.jpg`],
    ['photos/2026/õu.jpg', `filename="ou.jpg"; filename*=UTF-8''%C3%B5u.jpg`],
    ['it\'s "5%" (a*b).txt', `filename="it's _5__ (a*b).txt"; filename*=UTF-8''it%27s%20%225%25%22%20%28a%2Ab%29.txt`],
    ['a\r\nset-cookie: x', `filename="aset-cookie: x"; filename*=UTF-8''aset-cookie%3A%20x`],
    ['\ud800.txt', `filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
    ['evil\u202egpj.exe', `filename="evilgpj.exe"; filename*=UTF-8''evilgpj.exe`],
    ['..', `filename="file"; filename*=UTF-8''file`],
    ['', `filename="file"; filename*=UTF-8''file`],
  ])('for %j is %s', (name, expected) => {
    expect(attachmentDisposition(name)).toBe(`attachment; ${expected}`)
  })
})

describe('the media type of a download', () => {
  test.each([
    'image/png',
    'text/plain; charset=utf-8',
    'Video/mp4',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ])('is %s as given', (type) => {
    expect(mediaType(type)).toBe(type)
  })
  test.each([
    ...['text/javascript', 'TEXT/HTML; charset=utf-8', 'image/svg+xml', 'text/xml', 'application/xhtml+xml'],
    ...[
      'application/javascript',
      'application/x-shockwave-flash',
      'application/vnd.ms-x+xml',
      'multipart/x-mixed-replace',
    ],
  ])('is application/octet-stream for %s, which a browser could execute', (type) => {
    expect(mediaType(type)).toBe('application/octet-stream')
  })

  test.each(['', null, 'image', 'a/b\r\nx: y', 'a/b; c', 'a/б', `a/${'b'.repeat(300)}`])(
    'is application/octet-stream for %j',
    (type) => {
      expect(mediaType(type)).toBe('application/octet-stream')
    },
  )
})
