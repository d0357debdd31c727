import { expect, onTestFinished, test, vi } from 'vitest'
import { sha256Of } from './sha256.ts'

/** As on a page over plain HTTP. */
function withoutHelp() {
  vi.stubGlobal('crypto', {})
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
}

test.each([0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 100_003])(
  'is the same with and without the help of the browser: %d bytes',
  async (size) => {
    const bytes = Uint8Array.from({ length: size + 7 }, (_, index) => (index * index) % 251)
    const hashes = () => Promise.all([sha256Of(bytes), sha256Of(bytes.subarray(7))])
    const expected = await hashes()
    withoutHelp()
    expect(await hashes()).toEqual(expected)
  },
)

test('is the one of the standard', async () => {
  withoutHelp()
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(await sha256Of(new TextEncoder().encode('abc'))).toBe(digest)
})
