import type { Document } from './documents.ts'
import { addressOf } from './links.ts'
import { type Token, textOf } from './markdown.ts'

/** A page as the search of the help reads it. The script of the help (`packages/web/src/help`) declares the same shape. */
export interface SearchPage {
  address: string
  title: string
  /** The part of the help that the page belongs to, such as "Reference". */
  part: string
  sections: readonly [anchor: string, heading: string, text: string][]
}

/** Splits a page into sections, each with its text. */
export function searchPage(document: Document, part: string): SearchPage {
  const sections: [anchor: string, heading: string, tokens: Token[]][] = [['', document.title, []]]
  let next = 0
  for (const token of document.tokens) {
    if (token.type !== 'heading') {
      sections.at(-1)?.[2].push(token)
      continue
    }
    const heading = document.headings[next]
    next += 1
    if (heading && heading.depth > 1) sections.push([heading.anchor, heading.text, []])
  }
  return {
    address: addressOf(document.path),
    title: document.title,
    part,
    sections: sections.map(([anchor, heading, tokens]) => [anchor, heading, spaced(textOf(tokens))]),
  }
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim()
