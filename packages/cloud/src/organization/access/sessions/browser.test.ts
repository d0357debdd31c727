import { expect, test } from 'vitest'
import { describeBrowser } from './browser.ts'

const MOZILLA = 'Mozilla/5.0'
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${MOZILLA} (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0`, 'Firefox on Linux'],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
    'Edge on Windows',
  ],
  [`${MOZILLA} (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605 Version/17.5 Safari/605.1.15`, 'Safari on macOS'],
  [`${MOZILLA} (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605 Version/17.5 Safari/604.1`, 'Safari on iOS'],
  [`${MOZILLA} (Linux; Android 14) ${WEBKIT} Chrome/126.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  ['curl/8.5.0', 'curl'],
  ['<script>alert(1)</script>', null],
  ['', null],
  [undefined, null],
])('names the browser of %s', (userAgent, expected) => {
  expect(describeBrowser(userAgent)).toBe(expected)
})
