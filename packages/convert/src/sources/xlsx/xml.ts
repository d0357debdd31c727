import { SaxesParser } from 'saxes'
import { numberIn } from '../../text/numbers.ts'

/** An element that starts, without its namespace prefix. */
export interface Tag {
  readonly name: string
  /** By name with its prefix, for example `r:id`. */
  readonly attributes: Readonly<Record<string, string>>
}

export interface XmlVisitor {
  open?(tag: Tag): void
  text?(text: string): void
  close?(name: string): void
}

/** Parses XML in chunks. Throws for what is not well-formed, and for a document type, which no workbook has. */
export interface XmlReader {
  write(bytes: Uint8Array): void
  end(): void
}

/** No spreadsheet program writes so much into a cell. */
const MOST_TEXT = 16_000_000

export function createXmlReader(visit: XmlVisitor): XmlReader {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const decoder = new TextDecoder('utf-8', { fatal: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Error('it contains a document type, which spreadsheet programs do not write')
  })
  /** Characters since the last tag. */
  let pending = 0
  parser.on('opentag', ({ name, attributes }) => {
    pending = 0
    visit.open?.({ name: local(name), attributes })
  })
  parser.on('closetag', ({ name }) => {
    pending = 0
    visit.close?.(local(name))
  })
  const onText = (text: string) => visit.text?.(text)
  parser.on('text', onText)
  parser.on('cdata', onText)
  return {
    write(bytes) {
      const text = decoder.decode(bytes, { stream: true })
      pending += text.length
      if (pending > MOST_TEXT) throw new Error(`a cell has more than ${MOST_TEXT / 1e6} MB`)
      parser.write(text)
    },
    end: () => void parser.close(),
  }
}

function local(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}

/** Office writes characters that XML cannot hold as `_x000D_`, and an underscore before such a text as `_x005F_`. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_all, code: string) => String.fromCharCode(numberIn(`0x${code}`)))
}
