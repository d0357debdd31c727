import { BOUNDS } from '../limits.ts'
import { manifestInvalid, manifestNotJson, type PackageRefused } from '../refusal.ts'
import { createElement, type Element } from './element.ts'
import { unexpected } from './expected.ts'
import { endsNumber, FIRST_STEP, LACKING, PLAIN, SCALAR, STATE, STEP, TABLE } from './grammar.ts'
import { createOutline, type ManifestVisitor, type Outline } from './outline.ts'

export type { ManifestVisitor } from './outline.ts'

export interface ManifestScanner {
  /** The chunk may be reused after the call. */
  push(chunk: Uint8Array): void
  end(): void
}

export interface ScannerOptions {
  /**
   * Shortens texts and names whose source has more bytes. The result is a prefix that ends at a character boundary. It
   * is blank only if the whole text is, and contains U+0000 or a lone surrogate if the whole text does. Names with the
   * same prefix count as duplicates.
   */
  cutTextsOver?: number
}

// The end of a shortened text stays in memory as long as its slice.
const SLICE = 65_536

/** The state of a scanner between two bytes. */
interface Scan {
  readonly element: Element
  readonly outline: Outline
  /** For each open level: 1 for an object, 0 for an array. */
  readonly isObject: Uint8Array
  state: number
  depth: number
  isName: boolean
  /** Bytes before this chunk. */
  before: number
  line: number
  lineStart: number
  /** Bytes of this line that continue a character. */
  continuations: number
}

/**
 * Creates a scanner that reads a manifest in chunks and delivers it piece by piece. It accepts what JSON.parse accepts,
 * except duplicate names and anything beyond BOUNDS. It throws `PackageRefused` for the first error, independent of how
 * the bytes are split into chunks. It cannot be used after that.
 */
export function createManifestScanner(visit: ManifestVisitor, { cutTextsOver }: ScannerOptions = {}): ManifestScanner {
  const element = createElement(cutTextsOver ?? Number.POSITIVE_INFINITY)
  const scan: Scan = {
    element,
    outline: createOutline({ visit, element, placeOf: (at) => placeOf(scan, at) }),
    isObject: new Uint8Array(BOUNDS.manifestDepth + 1),
    state: STATE.start,
    depth: 0,
    isName: false,
    before: 0,
    line: 1,
    lineStart: 0,
    continuations: 0,
  }

  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
      for (let from = 0; from < bytes.length; from += SLICE) takeSlice(scan, bytes.subarray(from, from + SLICE))
    },
    end() {
      element.enter(Buffer.alloc(0))
      // A number at the root is the only value whose last byte does not mark its end.
      if (scan.depth === 0 && endsNumber(scan.state)) scan.state = endValue(scan, 0)
      if (scan.state !== STATE.done) throw syntaxError(scan, scan.state, 0)
    },
  }
}

function takeSlice(scan: Scan, slice: Buffer): void {
  scan.element.enter(slice)
  scanBytes(scan, slice)
  scan.element.leave()
  scan.before += slice.length
}

function scanBytes(scan: Scan, bytes: Buffer): void {
  // Local copies: an imported binding would be looked up for every byte.
  const table = TABLE
  const plain = PLAIN
  const text = STATE.text
  const firstStep = FIRST_STEP
  const end = bytes.length
  let state = scan.state
  let at = 0
  while (at < end) {
    let byte = bytes[at] as number
    if (state === text) {
      while (plain[byte] === 1 && ++at < end) byte = bytes[at] as number
      if (at === end) break
      // Most non-ASCII letters have two bytes. The table handles them too, but takes twice as long.
      if (byte >= 0xc2 && byte <= 0xdf && at + 1 < end && ((bytes[at + 1] as number) & 0xc0) === 0x80) {
        scan.continuations += 1
        scan.element.foundNonAscii()
        at += 2
        continue
      }
    }
    const next = table[(state << 8) | byte] as number
    if (next >= firstStep) {
      state = takeStep(scan, next, at, byte, state)
      // The byte after a number ends it and is also a token.
      if (next === STEP.endNumber) continue
    } else {
      if (next === STATE.refused) throw syntaxError(scan, state, at, byte)
      if (byte >= 0x80 && state === text) {
        scan.continuations += LACKING[next] as number
        scan.element.foundNonAscii()
      }
      if (next === STATE.escape && scan.isName) scan.outline.foundEscapeInName()
      state = next
    }
    at += 1
  }
  scan.state = state
}

/** Performs a step and returns the next state. */
function takeStep(scan: Scan, step: number, at: number, byte: number, state: number): number {
  const { outline, element, isObject, depth } = scan
  switch (step) {
    case STEP.beginName:
      outline.beginName(at, depth)
      return beginText(scan, at, true)
    case STEP.beginText:
      outline.beginValue(at, depth, byte)
      return beginText(scan, at, false)
    case STEP.endText:
      element.endText(at)
      if (!scan.isName) return endValue(scan, at + 1)
      outline.endName(at + 1, depth)
      return STATE.colon
    case STEP.comma:
      return isObject[depth] === 1 ? STATE.name : STATE.value
    case STEP.beginScalar:
      outline.beginValue(at, depth, byte)
      return SCALAR[byte] as number
    case STEP.endWord:
      return endValue(scan, at + 1)
    case STEP.endNumber:
      return endValue(scan, at)
    case STEP.openObject:
    case STEP.openArray:
      outline.beginValue(at, depth, byte)
      return open(scan, step === STEP.openObject, at)
    case STEP.closeObject:
    case STEP.closeArray:
      if ((isObject[depth] === 1) !== (step === STEP.closeObject)) throw syntaxError(scan, state, at, byte)
      scan.depth -= 1
      return endValue(scan, at + 1)
    case STEP.newLine:
      scan.line += 1
      beginLine(scan, at + 1)
      return state === STATE.start ? STATE.value : state
    default:
      // The only remaining step is the end of a byte-order mark, which editors don't count as a column.
      beginLine(scan, at + 1)
      return STATE.value
  }
}

function beginText(scan: Scan, at: number, isName: boolean): number {
  scan.isName = isName
  scan.element.beginText(at)
  return STATE.text
}

function endValue(scan: Scan, at: number): number {
  scan.outline.endValue(at, scan.depth)
  return scan.depth === 0 ? STATE.done : STATE.after
}

function open(scan: Scan, isObject: boolean, at: number): number {
  if (scan.depth === BOUNDS.manifestDepth)
    throw manifestInvalid(described(scan, `more than ${BOUNDS.manifestDepth} levels of nesting`, at))
  scan.depth += 1
  scan.isObject[scan.depth] = isObject ? 1 : 0
  return isObject ? STATE.nameOrClose : STATE.valueOrClose
}

function beginLine(scan: Scan, at: number): void {
  scan.lineStart = scan.before + at
  scan.continuations = 0
}

function placeOf({ before, line, lineStart, continuations }: Scan, at: number): string {
  const byte = before + at
  return `at byte ${byte} (line ${line}, column ${byte - lineStart - continuations + 1})`
}

const described = (scan: Scan, problem: string, at: number) => `${problem} ${placeOf(scan, at)}${scan.outline.where()}`

/** `byte` is undefined at the end of the input. */
function syntaxError(scan: Scan, state: number, at: number, byte?: number): PackageRefused {
  const container = scan.depth === 0 ? 'none' : scan.isObject[scan.depth] === 1 ? 'object' : 'array'
  // They were counted when their character began.
  scan.continuations -= LACKING[state] as number
  return manifestNotJson(described(scan, unexpected(state, byte, container), at))
}
