import { escapeHtml } from './html.ts'
import { splitTranscript } from './transcript.ts'

/**
 * Renders a block of code with a button that copies it; without a language it is a drawing or output, which people do not
 * copy. In a transcript (`console`), commands are marked, and only they are copied.
 */
export function renderCode(text: string, language: string): string {
  const lines = language === 'console' ? transcript(text) : language === 'sh' ? shell(text) : escapeHtml(text)
  const label = language === 'console' || language === 'sh' ? 'Copy commands' : 'Copy'
  const button = language === '' ? '' : `<button type="button" class="copy" hidden>${label}</button>`
  return `<div class="code"><pre tabindex="0"><code>${lines}</code></pre>${button}</div>\n`
}

function transcript(text: string): string {
  return splitTranscript(text)
    .map(({ kind, text: part }) =>
      kind === 'command'
        ? `<span class="prompt" aria-hidden="true">$ </span><span class="command">${shell(part)}</span>`
        : `<span class="output">${escapeHtml(part)}</span>`,
    )
    .join('\n')
}

/** Marks comments: a `#` after two or more spaces, or at the start of a line. */
const shell = (text: string) => escapeHtml(text).replace(/(^|\s{2,})(# .*)$/gm, '$1<span class="comment">$2</span>')
