import { SaxesParser } from 'saxes'

const ATTRIBUTES = ['name', 'href', 'is', 'val', 'null', 'status', 'display'] as const
type Attribute = (typeof ATTRIBUTES)[number]

/** An element of an oBIX document, with the attributes that the driver uses. */
export interface ObixObject {
  tag: string
  attributes: Readonly<Partial<Record<Attribute, string>>>
  children: readonly ObixObject[]
}

const MAX_DEPTH = 64
const MAX_ELEMENTS = 50_000
const MAX_ATTRIBUTES = 64
const MAX_ATTRIBUTE = 16_384

/**
 * Parses an untrusted document. Throws an `Error` with a one-line reason if it is not well-formed, has a document type
 * (so that there are only XML's five built-in entities), or is deeper or larger than any legitimate answer.
 */
export function parseXml(text: string): ObixObject {
  const open: { tag: string; attributes: ObixObject['attributes']; children: ObixObject[] }[] = []
  let root: ObixObject | undefined
  let elements = 0
  let attributes = 0

  const parser = new SaxesParser({ xmlns: false, position: false })
  parser.on('doctype', () => refuse('it has a document type, which is not accepted'))
  parser.on('opentagstart', () => {
    elements += 1
    attributes = 0
    if (elements > MAX_ELEMENTS) refuse(`it has more than ${MAX_ELEMENTS} elements`)
    if (open.length >= MAX_DEPTH) refuse(`it is more than ${MAX_DEPTH} elements deep`)
  })
  parser.on('attribute', ({ value }) => {
    attributes += 1
    if (attributes > MAX_ATTRIBUTES) refuse(`an element has more than ${MAX_ATTRIBUTES} attributes`)
    if (value.length > MAX_ATTRIBUTE) refuse(`an attribute is longer than ${MAX_ATTRIBUTE} characters`)
  })
  parser.on('opentag', (tag) => {
    const element = { tag: withoutPrefix(tag.name), attributes: known(tag.attributes), children: [] }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  parser.write(text).close()
  return root ?? refuse('it is empty')
}

/** Escapes text for an attribute in double quotes. Parsers read an unescaped line break there as a space. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function known(all: Record<string, string>): ObixObject['attributes'] {
  const kept: Partial<Record<Attribute, string>> = {}
  for (const name of ATTRIBUTES) if (all[name] !== undefined) kept[name] = all[name]
  return kept
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)

function refuse(reason: string): never {
  throw new Error(reason)
}
