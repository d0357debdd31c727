import { describe, expect, test } from 'vitest'
import { refuseTooLarge, tooLarge } from './export-limits.ts'

const FITS = { tickets: 1, comments: 1, attachments: 1, files: 49_999, fileBytes: 9.9e9, textBytes: 100e6 }
const FORMS = 'The site does not fit into one package: '

describe('a site that no package can hold', () => {
  test.each([
    [{ files: 50_000 }, 'its requests have 50,000 different files, and a package holds 49,999'],
    [{ textBytes: 100e6 + 1 }, 'its requests and comments are 101 MB of text, and a manifest holds 100 MB'],
    [{ fileBytes: 10e9 }, 'its files are 10,000 MB, and a package holds 10 GB of files'],
  ])('is refused before anything is written, with what to do: %j', (more, why) => {
    const refusing = () => refuseTooLarge({ ...FITS, ...more })
    expect(refusing).toThrow(`${FORMS}${why}. Move such a site with a backup`)
    expect(refusing).toThrow(expect.objectContaining({ final: true }))
  })

  test('is told of in the same words when only writing it showed that', () => {
    const error = tooLarge(new Error('The package cannot be written: the package would exceed 5 GB'))
    expect(error).toMatchObject({
      final: true,
      message: expect.stringContaining(`${FORMS}the package would exceed 5 GB. `),
    })
  })
})

test('a site just within the limits is not refused, and any other error is not about size', () => {
  expect(() => refuseTooLarge(FITS)).not.toThrow()
  expect(tooLarge(new Error('no space left'))).toBeUndefined()
})
