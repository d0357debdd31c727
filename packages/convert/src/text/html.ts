import { compile } from 'html-to-text'
import { Parser } from 'htmlparser2'

const LONGEST = 16_000_000
/** Elements inside each other that become text. */
const DEEPEST = 200
/** An element that is opened without an end makes every later one slower. Below this, that does not matter. */
const DEEPEST_PARSED = 1_000

const toText = compile({
  wordwrap: false,
  // A hostile page could otherwise take the process.
  limits: { maxInputLength: LONGEST, maxDepth: DEEPEST },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
    { selector: 'img', options: { linkBrackets: ['(', ')'] } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
})

/** Turns HTML into plain text: paragraphs, lists and links as people would type them. */
export const htmlToText = (html: string): string => toText(bounded(html)).trim()

/**
 * Cuts HTML where its elements lie too deep in each other. The parser takes a time for each element that grows with its
 * depth: 80,000 `<div>` without an end took 21 s.
 */
function bounded(html: string): string {
  const text = html.slice(0, LONGEST)
  if (!hasMore(text, '<', DEEPEST_PARSED)) return text
  let depth = 0
  let end = text.length
  const parser = new Parser({
    onopentagname() {
      depth += 1
      if (depth <= DEEPEST_PARSED) return
      end = Math.min(end, parser.startIndex)
      // Nothing after this is parsed.
      parser.pause()
    },
    onclosetag() {
      depth -= 1
    },
  })
  parser.end(text)
  return text.slice(0, end)
}

function hasMore(text: string, part: string, most: number): boolean {
  let count = 0
  for (let at = text.indexOf(part); at !== -1 && count <= most; at = text.indexOf(part, at + 1)) count += 1
  return count > most
}
