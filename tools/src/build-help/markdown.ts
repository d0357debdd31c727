import { lexer, type Token as MarkedToken, Parser, Renderer, type Tokens } from 'marked'
import { renderCode } from './code.ts'
import { FRAME_TEXTS } from './frame-texts.ts'
import { escapeHtml, unescapeHtml } from './html.ts'

export type Token = MarkedToken

export interface Heading {
  depth: number
  text: string
  anchor: string
}

/** Where a link leads; `undefined` if it leads nowhere. */
export type ResolveLink = (href: string) => string | undefined

export const parse = (text: string): Token[] => lexer(text)

/** Returns the headings with the anchors that GitHub gives them, so that links work there too. */
export function headingsOf(tokens: readonly Token[]): Heading[] {
  const used = new Map<string, number>()
  return tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(({ depth, tokens: inside }) => {
      const text = textOf(inside)
      const anchor = anchorOf(text)
      const times = used.get(anchor) ?? 0
      used.set(anchor, times + 1)
      return { depth, text, anchor: times === 0 ? anchor : `${anchor}-${times}` }
    })
}

export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-')

/** Renders a page. A link that leads nowhere becomes text. */
export function render(
  tokens: readonly Token[],
  headings: readonly Heading[],
  resolve: ResolveLink,
  texts = FRAME_TEXTS.en,
): string {
  const renderer = new Renderer()
  let nextHeading = 0
  renderer.heading = ({ depth, tokens: inside }) => {
    const anchor = headings[nextHeading]?.anchor ?? ''
    nextHeading += 1
    const content = renderer.parser.parseInline(inside)
    if (depth === 1) return `<h1 id="${anchor}">${content}</h1>\n`
    const link = `<a class="anchor" href="#${anchor}" aria-label="${texts.section}">#</a>`
    return `<h${depth} id="${anchor}">${content}${link}</h${depth}>\n`
  }
  renderer.link = ({ href, tokens: inside }) => {
    const content = renderer.parser.parseInline(inside)
    const to = resolve(href)
    return to === undefined ? content : `<a href="${escapeHtml(to)}">${content}</a>`
  }
  renderer.image = ({ href, text }) => {
    const to = resolve(href)
    return to === undefined
      ? escapeHtml(text)
      : `<img src="${escapeHtml(to)}" alt="${escapeHtml(text)}" loading="lazy">`
  }
  // Long names of settings may break between their words.
  renderer.codespan = ({ text }) => `<code>${escapeHtml(text).replaceAll('_', '_<wbr>')}</code>`
  renderer.code = ({ text, lang }) => renderCode(text, lang ?? '')
  const table = renderer.table.bind(renderer)
  // A wide table scrolls by itself, also by keyboard.
  renderer.table = (token) =>
    `<div class="table" tabindex="0" role="region" aria-label="${texts.table}: ${escapeHtml(token.header.map(({ tokens: cell }) => textOf(cell)).join(', '))}">${table(token)}</div>\n`
  // Comments are notes for tools and authors. Other HTML does not occur.
  renderer.html = ({ text }) => (/^\s*<!--[\s\S]*-->\s*$/.test(text) ? '' : escapeHtml(text))
  return new Parser({ renderer }).parse([...tokens])
}

/** Returns the plain text of tokens, for search and labels. */
export function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'html' || token.type === 'space') return ''
      if (token.type === 'table') return tableText(token as Tokens.Table)
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => `${textOf(item.tokens)}\n`).join('')
      if (token.type === 'br') return ' '
      if ('tokens' in token && token.tokens && token.type !== 'image') return textOf(token.tokens) + endOf(token.type)
      return 'text' in token ? unescapeHtml(String(token.text)) + endOf(token.type) : ''
    })
    .join('')
}

const tableText = ({ header, rows }: Tokens.Table) =>
  `${[header, ...rows].map((row) => row.map((cell) => textOf(cell.tokens)).join(' ')).join('\n')}\n`

const endOf = (type: string) => (['paragraph', 'heading', 'code', 'blockquote'].includes(type) ? '\n' : '')

/** Calls `visit` for every link and picture, with its text. */
export function visitLinks(tokens: readonly Token[], visit: (href: string, label: string) => void): void {
  for (const token of tokens) {
    if (token.type === 'link' || token.type === 'image') visit(token.href, textOf(token.tokens ?? []))
    if (token.type === 'list') for (const item of (token as Tokens.List).items) visitLinks(item.tokens, visit)
    else if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table
      for (const cell of [header, ...rows].flat()) visitLinks(cell.tokens, visit)
    } else if ('tokens' in token && token.tokens) visitLinks(token.tokens, visit)
  }
}
