import type { Language } from '@plantroom/contract/languages'
import { FRAME_TEXTS } from './frame-texts.ts'
import { escapeHtml } from './html.ts'

/** Writes the search field, which `packages/web/src/help` brings to life. `pages` is the address of the text to search. */
export function writeSearchField(language: Language, pages: string): string {
  const texts = FRAME_TEXTS[language]
  const data = { language, pages, count: texts.count, none: texts.none, failed: texts.failed }
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`)
  return `<search ${attributes.join(' ')}>
<form hidden>
<input type="search" name="q" placeholder="${texts.search}" aria-label="${texts.searchLabel}" autocomplete="off" spellcheck="false" aria-keyshortcuts="/" aria-controls="results">
</form>
<div id="results" role="region" aria-label="${texts.results}" hidden></div>
<p class="status" role="status"></p>
</search>`
}
