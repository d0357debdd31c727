import { describe, expect, test } from 'vitest'
import { explainWriterLimit, refuseTooLarge } from './export-checks.ts'

const FITS = { tickets: 1, comments: 1, attachments: 1, files: 49_999, fileBytes: 9.9e9, textBytes: 100e6 }
const PREFIX = 'The site does not fit into one package: '

describe('a site that exceeds the limits of a package', () => {
  test.each([
    [{ files: 50_000 }, 'its requests have 50,000 different files; the limit is 49,999'],
    [{ textBytes: 100e6 + 1 }, 'its requests and comments have 101 MB of text; the limit is 100 MB'],
    [{ fileBytes: 10e9 }, 'its files have 10,000 MB; the limit is 10 GB'],
  ])('is refused before anything is written, with a remedy: %j', (more, reason) => {
    const refusing = () => refuseTooLarge({ ...FITS, ...more })
    expect(refusing).toThrow(`${PREFIX}${reason}. Move a site of this size with a backup`)
    expect(refusing).toThrow(expect.objectContaining({ final: true }))
  })

  test('fails with the same message when only the writer finds the limit', () => {
    const error = explainWriterLimit(new Error('The package cannot be written: the package would exceed 5 GB'))
    expect(error).toMatchObject({
      final: true,
      message: expect.stringContaining(`${PREFIX}the package would exceed 5 GB. `),
    })
  })
})

test('a site within the limits is accepted, and other errors are left alone', () => {
  expect(() => refuseTooLarge(FITS)).not.toThrow()
  expect(explainWriterLimit(new Error('no space left'))).toBeUndefined()
})
