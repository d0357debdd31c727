import { SourceError } from '../source.ts'
import { addBytes, countValue, newPiece, openLevel, type Piece } from './piece.ts'

/** The bytes of one object of a JSON file, and where they stand. */
export interface RawElement {
  /** The field of the outer object whose list contains it. */
  readonly list: string | undefined
  /** The line on which it begins, as an editor shows it. */
  readonly line: number
  /** Of its first byte, and after its last, in the file. */
  readonly start: number
  readonly end: number
  readonly bytes: Buffer
}

export interface Splitter {
  /** Returns the objects that end in this chunk. */
  push(chunk: Buffer): RawElement[]
  /** Throws a `SourceError` for a file that is not complete. */
  end(): void
}

export interface SplitterOptions {
  /** The name of the file, for messages. */
  readonly file: string
  isList(name: string, isFirst: boolean): boolean
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEW_LINE = 0x0a
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** The state between two bytes. */
interface State extends SplitterOptions {
  depth: number
  /** `escaped` after a backslash at the end of a chunk. */
  text: 'none' | 'plain' | 'escaped'
  line: number
  /** Bytes before this chunk. */
  before: number
  /** In this chunk, the first byte that is not yet in a piece. */
  from: number
  /** The object that is being read. */
  element: Piece | undefined
  /** What surrounds the lists: with empty lists it must be JSON too. */
  frame: Piece | undefined
  /** The depth at which objects of a list begin, or -1 outside a list. */
  listDepth: number
  list: string | undefined
  /** The last token of a list. */
  previous: 'opening' | 'object' | 'comma'
  /** Fields of the outer object so far, and the name that was read last. */
  fields: number
  isName: boolean
  name: Buffer[] | undefined
  lastName: string
  hasContent: boolean
}

/** Cuts JSON into objects by counting brackets, byte by byte. Whether each is valid JSON, its parser decides. */
export function createSplitter(options: SplitterOptions): Splitter {
  const state: State = {
    ...options,
    depth: 0,
    text: 'none',
    line: 1,
    before: 0,
    from: 0,
    element: undefined,
    frame: undefined,
    listDepth: -1,
    ...{
      list: undefined,
      previous: 'opening',
      fields: 0,
      isName: false,
      name: undefined,
      lastName: '',
      hasContent: false,
    },
  }
  return {
    push(chunk) {
      if (state.before === 0) refuseOtherFormats(state, chunk)
      const found: RawElement[] = []
      state.from = 0
      scan(state, chunk, found)
      keep(state, chunk, chunk.length)
      state.before += chunk.length
      return found
    },
    end() {
      if (!state.hasContent) throw problem(state, 'the file is empty; export it again')
      const open = state.element ?? state.frame
      if (open === undefined) return
      const message = `the file ends in the middle of what begins in line ${open.line}; export or download it again`
      throw problem(state, message)
    },
  }
}

function scan(state: State, chunk: Buffer, found: RawElement[]): void {
  let at = 0
  while (at < chunk.length) {
    if (state.text !== 'none') {
      at = skipText(state, chunk, at)
      continue
    }
    const byte = chunk[at] as number
    if (byte > 0x20) takeByte(state, chunk, at, byte, found)
    else if (byte === NEW_LINE) state.line += 1
    at += 1
  }
}

/** Skips to the end of a text, and returns the position after it. */
function skipText(state: State, chunk: Buffer, start: number): number {
  let at = start
  if (state.text === 'escaped') {
    state.text = 'plain'
    at += 1
  }
  const { length } = chunk
  while (at < length) {
    const byte = chunk[at] as number
    at += 1
    if (byte === QUOTE) {
      state.text = 'none'
      break
    }
    if (byte === BACKSLASH) {
      if (at === length) state.text = 'escaped'
      at += 1
    }
  }
  const until = Math.min(at, chunk.length)
  if (state.name) {
    state.name.push(Buffer.from(chunk.subarray(start, until)))
    if (state.text === 'none') endName(state, state.name)
  }
  return until
}

function takeByte(state: State, chunk: Buffer, at: number, byte: number, found: RawElement[]): void {
  const { element, listDepth, depth } = state
  if (element && listDepth >= 0) takeInElement(state, element, chunk, at, byte, found)
  else if (depth === 0) beginTop(state, at, byte)
  else if (depth === listDepth) takeInList(state, chunk, at, byte)
  else takeInObject(state, chunk, at, byte, found)
}

/** A byte of an object in a list. */
function takeInElement(state: State, element: Piece, chunk: Buffer, at: number, byte: number, found: RawElement[]) {
  if (byte === QUOTE) state.text = 'plain'
  else if (byte === COMMA) countValue(element)
  else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) state.depth = openLevel(element, state.depth)
  else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
    state.depth -= 1
    if (state.depth === state.listDepth) finish(state, element, chunk, at + 1, found)
  }
}

/** A byte between the objects of a list. */
function takeInList(state: State, chunk: Buffer, at: number, byte: number): void {
  const { previous } = state
  state.from = at
  if (byte === OPEN_OBJECT && previous !== 'object') {
    state.element = beginPiece(state, at)
    state.depth += 1
    state.previous = 'object'
  } else if (byte === COMMA && previous === 'object') state.previous = 'comma'
  else if (byte === CLOSE_ARRAY && previous !== 'comma') {
    state.depth -= 1
    state.listDepth = -1
    state.list = undefined
    if (state.depth === 0) endFrame(state, chunk, at + 1)
  } else throw problem(state, 'the file is not valid JSON, or its list contains more than objects; export it again')
}

/** A byte of an object that is an element itself, or that contains lists. */
function takeInObject(state: State, chunk: Buffer, at: number, byte: number, found: RawElement[]): void {
  const { depth } = state
  const piece = (state.element ?? state.frame) as Piece
  if (byte === QUOTE) {
    state.text = 'plain'
    if (depth === 1 && state.isName) state.name = []
  } else if (byte === COMMA) {
    countValue(piece)
    if (depth === 1) state.isName = true
  } else if (byte === COLON && depth === 1) state.isName = false
  else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
    state.depth = openLevel(piece, state.depth)
    if (depth === 1 && byte === OPEN_ARRAY && state.isList(state.lastName, state.fields === 1)) {
      keep(state, chunk, at + 1)
      beginList(state)
    }
  } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
    state.depth -= 1
    if (state.depth > 0) return
    if (state.element) finish(state, state.element, chunk, at + 1, found)
    else endFrame(state, chunk, at + 1)
  }
}

function beginTop(state: State, at: number, byte: number): void {
  if (byte === BYTE_ORDER_MARK[state.before + at]) return
  state.hasContent = true
  if (byte !== OPEN_OBJECT && byte !== OPEN_ARRAY) {
    throw problem(state, 'the file is not a JSON export: an object or a list must stand here; export it again')
  }
  state.from = at
  state.depth = 1
  state.fields = 0
  state.isName = byte === OPEN_OBJECT
  if (byte === OPEN_OBJECT) state.element = beginPiece(state, at)
  else {
    state.frame = { ...beginPiece(state, at), parts: [Buffer.from('[')] }
    state.listDepth = 1
    state.previous = 'opening'
  }
}

/** The object turns out to surround lists. */
function beginList(state: State): void {
  state.frame ??= state.element
  state.element = undefined
  state.listDepth = 2
  state.list = state.lastName
  state.previous = 'opening'
}

function endName(state: State, name: readonly Buffer[]): void {
  const text = Buffer.concat(name).toString('utf8')
  state.name = undefined
  state.isName = false
  state.fields += 1
  state.lastName = text.slice(0, -1)
}

function finish(state: State, piece: Piece, chunk: Buffer, until: number, found: RawElement[]): void {
  keep(state, chunk, until)
  const { line, start, size } = piece
  found.push({ list: state.list, line, start, end: start + size, bytes: Buffer.concat(piece.parts) })
  state.element = undefined
}

function endFrame(state: State, chunk: Buffer, until: number): void {
  keep(state, chunk, until)
  const { parts = [], place = state.file } = state.frame ?? {}
  state.frame = undefined
  try {
    JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    const message = 'the file is not valid JSON between its objects; export it again'
    throw new SourceError([{ place, message }])
  }
}

/** Moves the bytes before `until` into the piece to which they belong. */
function keep(state: State, chunk: Buffer, until: number): void {
  const piece = state.element ?? (state.listDepth < 0 ? state.frame : undefined)
  if (piece && until > state.from) {
    const bytes = chunk.subarray(state.from, until)
    // A part of the frame outlives its chunk.
    addBytes(piece, state.element ? bytes : Buffer.from(bytes))
  }
  state.from = until
}

function beginPiece(state: State, at: number): Piece {
  return newPiece(placeOf(state, state.line), state.line, state.before + at)
}

function refuseOtherFormats(state: State, chunk: Buffer): void {
  const [first, second] = chunk
  if (first === 0x50 && second === 0x4b) throw problem(state, 'is a ZIP archive; unpack it first')
  if (first === 0x1f && second === 0x8b) throw problem(state, 'is compressed; unpack it with gunzip first')
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || chunk.subarray(0, 4).includes(0)) {
    throw problem(state, 'is in UTF-16; save it as UTF-8')
  }
}

function placeOf({ file }: State, line: number): string {
  return `${file}, line ${line}`
}

function problem(state: State, message: string): SourceError {
  return new SourceError([{ place: placeOf(state, state.line), message }])
}
