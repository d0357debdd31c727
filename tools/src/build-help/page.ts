import type { Language } from '@plantroom/contract/languages'
import { VERSION } from '@plantroom/contract/version'
import { FRAME_TEXTS } from './frame-texts.ts'
import { escapeHtml } from './html.ts'
import { addressOf, HOME } from './links.ts'
import type { Heading } from './markdown.ts'
import { type NavigationEntry, type NavigationSection, readingOrder } from './navigation.ts'
import { writeSearchField } from './search-field.ts'

/** The addresses of the files that every page loads. */
export interface Assets {
  style: string
  script: string
  /** The text of all pages of a language, for the search. */
  pages: Readonly<Record<Language, string>>
}

export interface PageContent {
  /** Below `/help/`. */
  path: string
  language: Language
  title: string
  /** The part of the help, above the title. */
  part: string
  html: string
  headings: readonly Heading[]
}

/** Writes a whole page around its content. It has no inline script or style, so that the content policy can forbid both. */
export function writePage(content: PageContent, navigation: readonly NavigationSection[], assets: Assets): string {
  const { language } = content
  const texts = FRAME_TEXTS[language]
  const title = content.path === '' ? 'Plantroom help' : `${escapeHtml(content.title)} · Plantroom ${texts.help}`
  return `<!doctype html>
<html lang="${language}" data-mantine-color-scheme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script src="/theme.js"></script>
<script type="module" src="${assets.script}"></script>
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
<header>
<button type="button" class="menu" popovertarget="pages">${texts.pages}</button>
<a class="home" href="${HOME}">Plantroom <span>${texts.help}</span></a>
${writeSearchField(language, assets.pages[language])}
<nav aria-label="${texts.elsewhere}"><a href="/docs/">${texts.reference}</a><a href="/">${texts.console}</a></nav>
</header>
<div class="columns">
<nav id="pages" aria-label="${texts.pages}" popover>
${navigation.map((section) => writeSection(section, content.path)).join('\n')}
</nav>
<main id="content" tabindex="-1">
<article>
${content.part === '' ? '' : `<p class="part">${escapeHtml(content.part)}</p>\n`}${content.html}</article>
${writeNeighbours(content, navigation)}
<footer>Plantroom ${escapeHtml(VERSION)}. ${texts.footer}</footer>
</main>
${writeContents(content)}
</div>
</body>
</html>
`
}

function writeSection({ title, entries }: NavigationSection, current: string): string {
  const api = title === 'Reference' ? '<li><a href="/docs/">Try the HTTP API</a></li>' : ''
  return `<h2 class="group">${escapeHtml(title)}</h2>\n${writeEntries(entries, current, api)}`
}

function writeEntries(entries: readonly NavigationEntry[], current: string, more = ''): string {
  const items = entries.map(({ label, document: { path }, below }) => {
    const mark = path === current ? ' aria-current="page"' : ''
    const inside = below.length > 0 ? `\n${writeEntries(below, current)}` : ''
    return `<li><a href="${addressOf(path)}"${mark}>${escapeHtml(label)}</a>${inside}</li>`
  })
  return `<ul>\n${items.join('\n')}${more}\n</ul>`
}

function writeContents({ headings, language }: PageContent): string {
  const listed = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (listed.length < 2) return ''
  const items = listed.map(
    ({ depth, anchor, text }) => `<li class="depth-${depth}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  )
  const { contents } = FRAME_TEXTS[language]
  return `<aside><nav aria-label="${contents}"><h2 class="group">${contents}</h2><ul>\n${items.join('\n')}\n</ul></nav></aside>`
}

function writeNeighbours({ path, language }: PageContent, navigation: readonly NavigationSection[]): string {
  const order = readingOrder(navigation)
  const here = order.findIndex(({ document }) => document.path === path)
  const before = path === '' ? undefined : order[here - 1]
  const after = path === '' ? order[0] : here < 0 ? undefined : order[here + 1]
  if (!before && !after) return ''
  const texts = FRAME_TEXTS[language]
  const link = (entry: NavigationEntry | undefined, rel: string, word: string) =>
    entry
      ? `<a rel="${rel}" href="${addressOf(entry.document.path)}"><span class="direction">${word}</span> ${escapeHtml(entry.label)}</a>`
      : ''
  return `<nav class="neighbours" aria-label="${texts.neighbours}">${link(before, 'prev', texts.previous)}${link(after, 'next', texts.next)}</nav>`
}
