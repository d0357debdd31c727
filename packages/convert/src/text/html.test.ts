import { expect, test } from 'vitest'
import { htmlToText } from './html.ts'

test.each([
  ['a link', '<a href="https://a.ee/x">Manual</a>', 'Manual (https://a.ee/x)'],
  ['a link that is its own text', '<a href="https://a.ee/x">https://a.ee/x</a>', 'https://a.ee/x'],
  ['an image', '<img src="https://a.ee/x.png" alt="Boiler">', 'Boiler (https://a.ee/x.png)'],
  ['headings', '<h1>Boiler</h1><h6>Valve</h6>', 'Boiler\n\nValve'],
  ['a list', '<ul><li>one</li><li>two</li></ul>', '* one\n * two'],
  ['long lines', `<p>${'word '.repeat(50)}</p>`, 'word '.repeat(50).trim()],
])('%s in HTML is text as people would type it', (_what, html, text) => {
  expect(htmlToText(html)).toBe(text)
})
