import { compile } from 'html-to-text'
import { Parser } from 'htmlparser2'
import { flatText } from './flat-html.ts'

const LONGEST = 16_000_000
/** Elements inside each other that become paragraphs, lists and links. */
const DEEPEST = 200

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: LONGEST, maxDepth: DEEPEST },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
    { selector: 'img', options: { linkBrackets: ['(', ')'] } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/**
 * Turns HTML into plain text: paragraphs, lists and links as people would type them. HTML that is too long or too deep for
 * that keeps its text and loses its form.
 */
export const htmlToText = (html: string): string =>
  html.length > LONGEST || isDeep(html) ? flatText(html) : toText(html).trim()

/** The parser takes a time for each element that grows with its depth, so it stops where the depth is reached. */
function isDeep(html: string): boolean {
  if (!hasMore(html, '<', DEEPEST)) return false
  let depth = 0
  let deepest = 0
  const parser = new Parser({
    onopentagname() {
      depth += 1
      deepest = Math.max(deepest, depth)
      if (depth > DEEPEST) parser.pause()
    },
    onclosetag() {
      depth -= 1
    },
  })
  parser.end(html)
  return deepest > DEEPEST
}

function hasMore(text: string, part: string, most: number): boolean {
  let count = 0
  for (let at = text.indexOf(part); at !== -1 && count <= most; at = text.indexOf(part, at + 1)) count += 1
  return count > most
}
