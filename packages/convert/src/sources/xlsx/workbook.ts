import { posix } from 'node:path'
import type { OpenArchive } from '@plantroom/fpl/read-archive'
import { SourceError } from '../../source.ts'
import { numberIn } from '../../text/numbers.ts'
import { builtInKind, kindOfFormat, type NumberKind } from './cell-values.ts'
import { createXmlReader, type Tag, unescaped, type XmlVisitor } from './xml.ts'

export interface SheetPlace {
  readonly name: string
  readonly isHidden: boolean
  /** Of the XML in the archive. */
  readonly path: string
}

/** What all sheets of a file share. */
export interface Workbook {
  readonly sheets: readonly SheetPlace[]
  /** Days count from 1904, as on old Macs. */
  readonly is1904: boolean
  readonly sharedStrings: readonly string[]
  /** By number of the cell style. */
  readonly kinds: readonly NumberKind[]
}

/** Reads everything about a file except the cells of its sheets. Throws a `SourceError` for what is no workbook. */
export async function readWorkbook(archive: OpenArchive): Promise<Workbook> {
  const root = await relations(archive, '_rels/.rels', '')
  const path = root.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  if (!archive.find(path)) {
    const message = 'the file is no workbook; save it as XLSX (not XLS or ODS) and try again'
    throw new SourceError([{ place: 'workbook', message }])
  }
  const folder = posix.dirname(path)
  const parts = await relations(archive, `${folder}/_rels/${posix.basename(path)}.rels`, folder)
  const { sheets, is1904 } = await readSheets(archive, path)
  const targetOf = (type: string) => parts.find((part) => part.type === type)?.target
  return {
    is1904,
    sheets: sheets.flatMap(({ id, ...sheet }) => {
      const part = parts.find((each) => each.id === id)
      return part?.type === 'worksheet' ? [{ ...sheet, path: part.target }] : []
    }),
    sharedStrings: await readSharedStrings(archive, targetOf('sharedStrings')),
    kinds: await readKinds(archive, targetOf('styles')),
  }
}

interface Relation {
  readonly id: string
  /** The last part of its address: `worksheet`. */
  readonly type: string
  readonly target: string
}

async function relations(archive: OpenArchive, path: string, folder: string): Promise<Relation[]> {
  const found: Relation[] = []
  await readXml(archive, path, {
    open({ name, attributes }) {
      if (name !== 'Relationship' || attributes.TargetMode === 'External') return
      const { Id = '', Type = '', Target = '' } = attributes
      const target = Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target)
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), target })
    },
  })
  return found
}

async function readSheets(archive: OpenArchive, path: string) {
  const sheets: { id: string; name: string; isHidden: boolean }[] = []
  let is1904 = false
  await readXml(archive, path, {
    open({ name, attributes }: Tag) {
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      const id = Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key))?.[1] ?? ''
      sheets.push({ id, name: attributes.name ?? '', isHidden: (attributes.state ?? 'visible') !== 'visible' })
    },
  })
  return { sheets, is1904 }
}

async function readSharedStrings(archive: OpenArchive, path: string | undefined): Promise<string[]> {
  const strings: string[] = []
  const text = createTextCollector()
  await readXml(archive, path, {
    open: ({ name }) => (name === 'si' ? text.start() : text.open(name)),
    text: text.text,
    close(name) {
      text.close(name)
      if (name === 'si') strings.push(text.value())
    },
  })
  return strings
}

/** Collects the text of a cell, whose runs may have different fonts. Leaves out how it is pronounced. */
export function createTextCollector() {
  let collected = ''
  let isText = false
  let isPhonetic = false
  return {
    start() {
      collected = ''
    },
    open(name: string) {
      if (name === 't') isText = true
      else if (name === 'rPh') isPhonetic = true
    },
    text(text: string) {
      if (isText && !isPhonetic) collected += text
    },
    close(name: string) {
      if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
    },
    value: () => unescaped(collected),
  }
}

async function readKinds(archive: OpenArchive, path: string | undefined): Promise<NumberKind[]> {
  const formats = new Map<number, NumberKind>()
  const kinds: NumberKind[] = []
  let isCellStyles = false
  await readXml(archive, path, {
    open({ name, attributes }) {
      if (name === 'numFmt') formats.set(numberIn(attributes.numFmtId), kindOfFormat(attributes.formatCode ?? ''))
      else if (name === 'cellXfs') isCellStyles = true
      else if (name === 'xf' && isCellStyles) {
        const id = numberIn(attributes.numFmtId ?? 0)
        kinds.push(formats.get(id) ?? builtInKind(id))
      }
    },
    close(name) {
      if (name === 'cellXfs') isCellStyles = false
    },
  })
  return kinds
}

/** Reads one part of the archive; a missing one has no content. */
async function readXml(archive: OpenArchive, path: string | undefined, visit: XmlVisitor): Promise<void> {
  const entry = path === undefined ? undefined : archive.find(path)
  if (!entry) return
  const reader = createXmlReader(visit)
  for await (const bytes of archive.content(entry)) reader.write(bytes)
  reader.end()
}
