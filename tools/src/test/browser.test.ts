import { describe, expect, test } from 'vitest'
import { exactly, filesNamed } from './browser.ts'

const files = ['e2e/browser/api-keys.test.ts', 'e2e/browser/sign-in.test.ts', 'e2e/browser/sign-in.test.tsx']

describe('the browser tests to run', () => {
  test('are all without names', () => {
    expect(filesNamed(files, [])).toEqual(files)
  })

  test('are those whose path contains any of the names', () => {
    expect(filesNamed(files, ['keys', 'nothing'])).toEqual(['e2e/browser/api-keys.test.ts'])
    expect(filesNamed(files, ['browser/'])).toEqual(files)
    expect(filesNamed(files, ['overrides'])).toEqual([])
  })

  test('are passed to Playwright as patterns that match no other file', () => {
    const pattern = new RegExp(exactly('e2e/browser/sign-in.test.ts'))
    expect(files.filter((file) => pattern.test(`/checkout/${file}`))).toEqual(['e2e/browser/sign-in.test.ts'])
    expect(pattern.test('/checkout/e2e/browser/sign-in-test.ts')).toBe(false)
  })
})
