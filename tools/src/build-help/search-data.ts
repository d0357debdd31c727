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

/** Readers look for decisions and templates by their titles, and the rest is long: the beginning is enough to find them. */
const FOUND_BY_TITLE = /^(?:decisions|templates)\//
const BEGINNING = 400

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
  const texts = sections.map(([anchor, heading, tokens]): SearchPage['sections'][number] => [
    anchor,
    heading,
    spaced(textOf(tokens)),
  ])
  return {
    address: addressOf(document.path),
    title: document.title,
    part,
    sections: FOUND_BY_TITLE.test(document.path)
      ? texts.slice(0, 1).map(([anchor, heading, text]) => [anchor, heading, text.slice(0, BEGINNING)])
      : texts,
  }
}

/** The operations of the HTTP API, with the addresses at which Swagger UI shows them. */
export function searchOperations(paths: OpenApiPaths): SearchPage {
  const sections = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([
        method,
        {
          operationId,
          summary,
          tags: [tag = ''],
        },
      ]): SearchPage['sections'][number] => [
        `/${encodeURIComponent(tag)}/${operationId}`,
        summary,
        `${method.toUpperCase()} ${path} ${operationId}`,
      ],
    ),
  )
  return { address: '/docs/', title: 'HTTP API', part: 'API reference', sections }
}

/** The part of `openapi.json` that the search reads. */
export type OpenApiPaths = Readonly<
  Record<string, Readonly<Record<string, { operationId: string; summary: string; tags: readonly string[] }>>>
>

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim()
