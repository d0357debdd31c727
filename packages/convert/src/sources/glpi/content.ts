import { lookup } from '../../parts/lookup.ts'
import { htmlToText } from '../../text/html.ts'
import { numberIn } from '../../text/numbers.ts'

const TAG = /<\/?[a-z][^<>]*>/i
/** A tag whose brackets are written as entities, once or several times. */
const ESCAPED_TAG = /&(amp;)*(lt|#0*60|#x0*3c);\/?[a-z]/i
const ENTITY = /&(#\d+|#x[\da-f]+|[a-z]{2,});/i
const MOST_LEVELS = 3

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/**
 * A text of GLPI as plain text. GLPI stores HTML, which versions before 11 escape, and imports of older versions twice:
 * `&lt;p&gt;`, `&#60;p&#62;` and `&amp;lt;p&amp;gt;` are all a paragraph.
 */
export function plainText(text: string): string {
  let html = text
  for (let level = 0; level < MOST_LEVELS && !TAG.test(html) && ESCAPED_TAG.test(html); level += 1)
    html = unescapeOnce(html)
  if (TAG.test(html)) return htmlToText(html)
  return (ENTITY.test(html) ? unescapeOnce(html) : html).trim()
}

function unescapeOnce(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (entity, decimal, hexadecimal, name) => {
    if (name !== undefined) return lookup(NAMED, String(name).toLowerCase()) ?? entity
    const code = decimal === undefined ? numberIn(`0x${hexadecimal}`) : numberIn(decimal)
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : entity
  })
}
