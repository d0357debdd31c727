import { convert } from 'html-to-text'

/** Turns HTML into plain text: paragraphs, lists and links as people would type them. */
export function htmlToText(html: string): string {
  return convert(html, {
    wordwrap: false,
    // A hostile page could otherwise take the process.
    limits: { maxInputLength: 16_000_000, maxDepth: 200 },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
      { selector: 'img', options: { linkBrackets: ['(', ')'] } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  }).trim()
}
