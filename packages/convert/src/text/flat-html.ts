import { Tokenizer } from 'htmlparser2'

/** Elements that begin a line of their own. */
const BLOCKS: ReadonlySet<string> = new Set([
  ...['address', 'article', 'blockquote', 'br', 'center', 'dd', 'div', 'dl', 'dt', 'fieldset', 'footer', 'form'],
  ...[
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'header',
    'hr',
    'li',
    'main',
    'ol',
    'p',
    'pre',
    'section',
    'table',
    'tr',
    'ul',
  ],
])
const CELLS: ReadonlySet<string> = new Set(['td', 'th'])
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style'])
/** Attributes whose value people would miss. */
const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src'])

/**
 * Turns HTML into text without a look at what is inside what: all of its text, each block on a line, and addresses in
 * brackets. Its time and memory grow with the length alone, however deep the elements lie.
 */
export function flatText(html: string): string {
  const pieces: string[] = []
  let hidden: string | undefined
  let isAddress = false
  let address = ''
  const flush = () => {
    if (address !== '') pieces.push(` (${address})`)
    address = ''
  }
  const pass = (name: string) => pieces.push(BLOCKS.has(name) ? '\n' : CELLS.has(name) ? ' ' : '')
  const nameAt = (start: number, end: number) => html.slice(start, end).toLowerCase()
  const tokenizer = new Tokenizer(
    {},
    {
      ontext: (start, end) => {
        if (hidden === undefined) pieces.push(html.slice(start, end).replaceAll(/\s+/g, ' '))
      },
      ontextentity: (code) => {
        if (hidden === undefined) pieces.push(String.fromCodePoint(code))
      },
      oncdata: (start, end, offset) => void pieces.push(html.slice(start, end - offset)),
      onopentagname: (start, end) => {
        flush()
        const name = nameAt(start, end)
        pass(name)
        if (HIDDEN.has(name)) hidden = name
      },
      onattribname: (start, end) => {
        isAddress = ADDRESSES.has(nameAt(start, end))
      },
      onattribdata: (start, end) => {
        if (isAddress) address += html.slice(start, end)
      },
      onattribentity: (code) => {
        if (isAddress) address += String.fromCodePoint(code)
      },
      onclosetag: (start, end) => {
        flush()
        const name = nameAt(start, end)
        pass(name)
        if (name === hidden) hidden = undefined
      },
      ...{ onattribend() {}, oncomment() {}, ondeclaration() {}, onend() {}, onopentagend() {}, onselfclosingtag() {} },
      onprocessinginstruction() {},
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  flush()
  return tidied(pieces.join(''))
}

/** Without spaces around lines, and with one empty line at most between two. */
function tidied(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .filter((line, at) => line !== '' || (at > 0 && lines[at - 1] !== ''))
    .join('\n')
    .trim()
}
