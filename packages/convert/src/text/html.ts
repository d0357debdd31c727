import { compile } from 'html-to-text'

const toText = compile({
  wordwrap: false,
  // A hostile page could otherwise take the process.
  limits: { maxInputLength: 16_000_000, maxDepth: 200 },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
    { selector: 'img', options: { linkBrackets: ['(', ')'] } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/** Turns HTML into plain text: paragraphs, lists and links as people would type them. */
export const htmlToText = (html: string): string => toText(html).trim()
