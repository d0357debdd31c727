import { expect, test } from 'vitest'
import { mayBePicture, nextZoom } from './picture.ts'

test.each([
  ['a.JPG', null, true],
  ['photo', 'image/png', true],
  ['photo', 'image/jpeg; q=1', true],
  ['drawing.svg', 'image/svg+xml', false],
  ['IMG_1.heic', 'image/heic', false],
  ['plan.pdf', 'application/pdf', false],
  ['png', null, false],
])('%s of type %s may be a picture: %s', (name, contentType, expected) =>
  expect(mayBePicture({ name, contentType })).toBe(expected),
)

test('zoom has an end in both directions', () => {
  expect([nextZoom(1, 1), nextZoom(1, -1), nextZoom(8, 1), nextZoom(8, -1)]).toEqual([1.5, 1, 8, 6])
})
