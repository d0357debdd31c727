import { SaxesParser } from 'saxes'

/** An oBIX object in XML. */
export interface Element {
  tag: string
  attributes: Readonly<Record<string, string>>
  children: readonly Element[]
}

/** Omits attributes that are `undefined`. */
export function element(
  tag: string,
  attributes: Readonly<Record<string, string | undefined>>,
  children: readonly Element[] = [],
): Element {
  const given = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { tag, attributes: Object.fromEntries(given), children }
}

export function childNamed(parent: Element | undefined, name: string): Element | undefined {
  return parent?.children.find(({ attributes }) => attributes.name === name)
}

const NAMESPACE = 'http://obix.org/ns/schema/1.0'

/** Encodes a complete document. */
export function renderXml({ tag, attributes, children }: Element): string {
  const root = { tag, attributes: { xmlns: NAMESPACE, ...attributes }, children }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${rendered(root, '')}`
}

function rendered({ tag, attributes, children }: Element, indent: string): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`)
  const opened = `${indent}<${tag}${written.join('')}`
  if (children.length === 0) return `${opened}/>\n`
  return `${opened}>\n${children.map((child) => rendered(child, `${indent}  `)).join('')}${indent}</${tag}>\n`
}

/** Escapes text for an attribute, where parsers would read a tab or line break as a space. */
function escaped(text: string): string {
  return text.replace(/[&<>"\p{Cc}]/gu, (found) => `&#${found.codePointAt(0)};`)
}

const MAX_DEPTH = 50

/** Parses a document without a DOCTYPE. Throws an error with a one-line reason. */
export function parseXml(text: string): Element {
  const open: { tag: string; attributes: Record<string, string>; children: Element[] }[] = []
  let root: Element | undefined
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw new Error(error.message)
  })
  parser.on('doctype', () => {
    throw new Error('a DOCTYPE is not allowed')
  })
  parser.on('opentag', ({ local, attributes }) => {
    if (open.length >= MAX_DEPTH) throw new Error('the document is too deep')
    const plain = Object.entries(attributes).map(([name, { value }]) => [name, value])
    open.push({ tag: local, attributes: Object.fromEntries(plain), children: [] })
  })
  parser.on('closetag', () => {
    const done = open.pop()
    const parent = open.at(-1)
    if (parent && done) parent.children.push(done)
    else root = done
  })
  parser.write(text).close()
  if (!root) throw new Error('the document is empty')
  return root
}
