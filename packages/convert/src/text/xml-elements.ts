import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { SourceError } from '../source.ts'
import { unreadable } from '../sources/csv/read-table.ts'

/** An element of an XML file with everything in it. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** All text in it, also of its children. */
  readonly text: string
  /** On which it begins. */
  readonly line: number
}

/** No export has so much. A hostile file must not take the memory. */
const BOUNDS = { text: 16_000_000, element: 100_000_000, nodes: 200_000, depth: 64 }
const CHUNK_BYTES = 1 << 18
const WEB_PAGE =
  'the file is a web page, for example one that asks to sign in, or a page that a browser saved; save the export itself (“Save link as”)'

interface Node extends XmlElement {
  readonly children: Node[]
  text: string
}

interface Reader {
  readonly path: string
  readonly parser: SaxesParser<{ xmlns: false }>
  /** The elements that are open, from the wanted one inwards. */
  readonly open: Node[]
  readonly found: XmlElement[]
  depth: number
  nodes: number
  size: number
  /** Characters since the parser last reported something. */
  pending: number
  isEnding: boolean
}

/**
 * Yields the elements of a name one at a time, in memory for one of them. Declarations of entities are refused, so nothing
 * is loaded from elsewhere and no text multiplies itself. Throws a `SourceError` at the first mistake.
 */
export async function* readXmlElements(path: string, name: string): AsyncGenerator<XmlElement, void> {
  const reader = createReader(path, name)
  for await (const text of decoded(path, reader)) {
    reader.pending += text.length
    reader.parser.write(text)
    if (reader.pending > BOUNDS.text) throw problem(reader, `a text has more than ${BOUNDS.text / 1e6} MB; shorten it`)
    yield* reader.found.splice(0)
  }
  reader.isEnding = true
  reader.parser.close()
  yield* reader.found.splice(0)
}

function createReader(path: string, name: string): Reader {
  const parser = new SaxesParser({ xmlns: false })
  const reader: Reader = { path, parser, open: [], found: [], depth: 0, nodes: 0, size: 0, pending: 0, isEnding: false }
  parser.on('opentag', (tag) => openTag(reader, tag, name))
  parser.on('closetag', () => closeTag(reader))
  parser.on('text', (text) => addText(reader, text))
  parser.on('cdata', (text) => addText(reader, text))
  parser.on('comment', () => {
    reader.pending = 0
  })
  parser.on('doctype', (type) => {
    if (/^\s*html\b/i.test(type)) throw problem(reader, WEB_PAGE)
    throw problem(reader, 'the file declares a document type, which no export does; remove the declaration')
  })
  parser.on('error', (error) => {
    const reason = error.message.replace(/^[\d:]+ /, '').replace(/\.$/, '')
    if (!reader.isEnding) throw problem(reader, `the file is not well-formed XML (${reason}); export it again`)
    throw problem(reader, 'the file is not complete; export or download it again')
  })
  return reader
}

function openTag(reader: Reader, { name, attributes }: SaxesTagPlain, wanted: string): void {
  reader.pending = 0
  reader.depth += 1
  if (reader.depth === 1 && name.toLowerCase() === 'html') throw problem(reader, WEB_PAGE)
  if (reader.depth > BOUNDS.depth) throw problem(reader, `has more than ${BOUNDS.depth} levels of nesting; remove them`)
  const parent = reader.open.at(-1)
  if (!parent && name !== wanted) return
  if (!parent) {
    reader.nodes = 0
    reader.size = 0
  }
  reader.nodes += 1
  grow(
    reader,
    Object.values(attributes).reduce((sum, value) => sum + value.length, 0),
  )
  if (reader.nodes > BOUNDS.nodes) throw problem(reader, `an element has more than ${BOUNDS.nodes} parts; remove it`)
  const node: Node = { name, attributes, children: [], text: '', line: reader.parser.line }
  parent?.children.push(node)
  reader.open.push(node)
}

function closeTag(reader: Reader): void {
  reader.pending = 0
  reader.depth -= 1
  const node = reader.open.pop()
  const parent = reader.open.at(-1)
  if (parent && node) parent.text += node.text
  else if (node) reader.found.push(node)
}

function addText(reader: Reader, text: string): void {
  reader.pending = 0
  const node = reader.open.at(-1)
  if (!node) return
  // Every level repeats it, so deep texts count once for each.
  grow(reader, text.length * reader.open.length)
  node.text += text
}

function grow(reader: Reader, characters: number): void {
  reader.size += characters
  if (reader.size > BOUNDS.element)
    throw problem(reader, `an element has more than ${BOUNDS.element / 1e6} MB; remove it`)
}

async function* decoded(path: string, reader: Reader): AsyncGenerator<string, void> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  const chunks = createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>
  try {
    for await (const chunk of chunks) {
      decoder ??= decoderOf(chunk, reader)
      yield decoder.decode(chunk, { stream: true })
    }
    yield decoder?.decode() ?? ''
  } catch (error) {
    if (error instanceof TypeError)
      throw problem(reader, 'contains bytes that its encoding does not have; export it again')
    throw unreadable(path, error)
  }
}

function decoderOf(chunk: Buffer, reader: Reader): InstanceType<typeof TextDecoder> {
  const [first, second] = chunk
  const isLittle = first === 0xff && second === 0xfe
  const isBig = first === 0xfe && second === 0xff
  const declared = /^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(chunk.subarray(0, 200).toString('latin1'))?.[1]
  const encoding = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : (declared ?? 'utf-8')
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw problem(reader, `the encoding ${encoding} is not known; save the file as UTF-8`)
  }
}

function problem({ path, parser }: Reader, message: string): SourceError {
  return new SourceError([{ place: `${basename(path)}, line ${parser.line}`, message }])
}
