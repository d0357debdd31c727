import { VERSION } from '@plantroom/contract/version'
import { escapeHtml } from './html.ts'
import { addressOf, HOME } from './links.ts'
import type { Heading } from './markdown.ts'
import { type NavigationEntry, type NavigationSection, readingOrder } from './navigation.ts'

/** The addresses of the files that every page loads. */
export interface Assets {
  style: string
  script: string
}

export interface PageContent {
  /** Below `/help/`. */
  path: string
  title: string
  /** The part of the help, above the title. */
  part: string
  html: string
  headings: readonly Heading[]
}

/** Writes a whole page around its content. It has no inline script or style, so that the content policy can forbid both. */
export function writePage(content: PageContent, navigation: readonly NavigationSection[], assets: Assets): string {
  const title = content.path === '' ? 'Plantroom help' : `${escapeHtml(content.title)} · Plantroom help`
  return `<!doctype html>
<html lang="en" data-mantine-color-scheme="light">
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
<a class="skip" href="#content">Skip to the content</a>
<header>
<button type="button" class="menu" popovertarget="pages">Pages</button>
<a class="home" href="${HOME}">Plantroom <span>help</span></a>
<search>
<form hidden>
<input type="search" name="q" placeholder="Search" aria-label="Search the help" autocomplete="off" spellcheck="false" aria-keyshortcuts="/" aria-controls="results">
</form>
<div id="results" role="region" aria-label="Search results" hidden></div>
<p class="status" role="status"></p>
</search>
<nav aria-label="Elsewhere"><a href="/docs/">API reference</a><a href="/">Console</a></nav>
</header>
<div class="columns">
<nav id="pages" aria-label="Pages" popover>
${navigation.map((section) => writeSection(section, content.path)).join('\n')}
</nav>
<main id="content" tabindex="-1">
<article>
${content.part === '' ? '' : `<p class="part">${escapeHtml(content.part)}</p>\n`}${content.html}</article>
${writeNeighbours(content.path, navigation)}
<footer>Plantroom ${escapeHtml(VERSION)}. The help is in English.</footer>
</main>
${writeContents(content.headings)}
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

function writeContents(headings: readonly Heading[]): string {
  const listed = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (listed.length < 2) return ''
  const items = listed.map(
    ({ depth, anchor, text }) => `<li class="depth-${depth}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  )
  return `<aside><nav aria-label="On this page"><h2 class="group">On this page</h2><ul>\n${items.join('\n')}\n</ul></nav></aside>`
}

function writeNeighbours(path: string, navigation: readonly NavigationSection[]): string {
  const order = readingOrder(navigation)
  const here = order.findIndex(({ document }) => document.path === path)
  const before = path === '' ? undefined : order[here - 1]
  const after = path === '' ? order[0] : here < 0 ? undefined : order[here + 1]
  if (!before && !after) return ''
  const link = (entry: NavigationEntry | undefined, rel: string, word: string) =>
    entry
      ? `<a rel="${rel}" href="${addressOf(entry.document.path)}"><span class="direction">${word}</span> ${escapeHtml(entry.label)}</a>`
      : ''
  return `<nav class="neighbours" aria-label="Previous and next page">${link(before, 'prev', 'Previous')}${link(after, 'next', 'Next')}</nav>`
}
