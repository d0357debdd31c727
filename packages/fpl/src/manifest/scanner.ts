import { BOUNDS } from '../limits.ts'
import { manifestNotJson, type PackageRefused } from '../refusal.ts'
import { createElement } from './element.ts'
import { unexpected } from './expected.ts'
import { endsNumber, FIRST_STEP, LACKING, PLAIN, SCALAR, STATE, STEP, TABLE } from './grammar.ts'
import { createOutline, type ManifestVisitor } from './outline.ts'

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

/** With shortened texts, the maximum size of one ticket, of one field, and of all field names together. */
const LARGEST_ELEMENT = 16e6

// The end of a shortened text stays in memory as long as its slice.
const SLICE = 65_536

/**
 * Creates a scanner that reads a manifest in chunks and delivers it piece by piece. It accepts what JSON.parse accepts,
 * except duplicate names and anything beyond BOUNDS. It throws `PackageRefused` for the first error, independent of how
 * the bytes are split into chunks. It cannot be used after that.
 */
export function createManifestScanner(visit: ManifestVisitor, { cutTextsOver }: ScannerOptions = {}): ManifestScanner {
  const element = createElement(cutTextsOver ?? Number.POSITIVE_INFINITY)
  const largest = cutTextsOver === undefined ? Number.POSITIVE_INFINITY : LARGEST_ELEMENT
  const outline = createOutline({ visit, element, largest, placeOf })
  const isObject = new Uint8Array(BOUNDS.manifestDepth + 1)

  let saved: number = STATE.start
  let depth = 0
  let isName = false
  /** Bytes before this chunk. */
  let before = 0
  let line = 1
  let lineStart = 0
  /** Bytes of this line that continue a character. */
  let continuations = 0

  function take(slice: Buffer) {
    element.enter(slice)
    scan(slice)
    const tooLarge = outline.oversize(slice.length)
    if (tooLarge) throw tooLarge
    element.leave()
    before += slice.length
  }

  function scan(bytes: Buffer) {
    // Local copies: an imported binding would be looked up for every byte.
    const table = TABLE
    const plain = PLAIN
    const text = STATE.text
    const firstStep = FIRST_STEP
    const end = bytes.length
    let state = saved
    let at = 0
    while (at < end) {
      let byte = bytes[at] as number
      if (state === text) {
        while (plain[byte] === 1 && ++at < end) byte = bytes[at] as number
        if (at === end) break
        // Most non-ASCII letters have two bytes. The table handles them too, but takes twice as long.
        if (byte >= 0xc2 && byte <= 0xdf && at + 1 < end && ((bytes[at + 1] as number) & 0xc0) === 0x80) {
          continuations += 1
          element.foundNonAscii()
          at += 2
          continue
        }
      }
      const next = table[(state << 8) | byte] as number
      if (next >= firstStep) {
        state = step(next, at, byte, state)
        // The byte after a number ends it and is also a token.
        if (next === STEP.endNumber) continue
      } else {
        if (next === STATE.refused) throw refusal(state, at, byte)
        if (byte >= 0x80 && state === text) {
          continuations += LACKING[next] as number
          element.foundNonAscii()
        }
        if (next === STATE.escape && isName) outline.foundEscapeInName()
        state = next
      }
      at += 1
    }
    saved = state
  }

  /** Performs a step and returns the next state. */
  function step(next: number, at: number, byte: number, state: number): number {
    switch (next) {
      case STEP.beginName:
        outline.beginName(at, depth)
        return beginText(at, true)
      case STEP.beginText:
        outline.beginValue(at, depth, byte)
        return beginText(at, false)
      case STEP.endText:
        element.endText(at)
        if (!isName) return endValue(at + 1)
        outline.endName(at + 1, depth)
        return STATE.colon
      case STEP.comma:
        return isObject[depth] === 1 ? STATE.name : STATE.value
      case STEP.beginScalar:
        outline.beginValue(at, depth, byte)
        return SCALAR[byte] as number
      case STEP.endWord:
        return endValue(at + 1)
      case STEP.endNumber:
        return endValue(at)
      case STEP.openObject:
      case STEP.openArray:
        outline.beginValue(at, depth, byte)
        return open(next === STEP.openObject, at)
      case STEP.closeObject:
      case STEP.closeArray:
        if ((isObject[depth] === 1) !== (next === STEP.closeObject)) throw refusal(state, at, byte)
        depth -= 1
        return endValue(at + 1)
      case STEP.newLine:
        line += 1
        beginLine(at + 1)
        return state === STATE.start ? STATE.value : state
      default:
        // The only remaining step is the end of a byte-order mark, which editors don't count as a column.
        beginLine(at + 1)
        return STATE.value
    }
  }

  function beginText(at: number, asName: boolean): number {
    isName = asName
    element.beginText(at)
    return STATE.text
  }

  function endValue(at: number): number {
    outline.endValue(at, depth)
    return depth === 0 ? STATE.done : STATE.after
  }

  function open(asObject: boolean, at: number): number {
    if (depth === BOUNDS.manifestDepth) throw refused(`more than ${BOUNDS.manifestDepth} levels of nesting`, at)
    depth += 1
    isObject[depth] = asObject ? 1 : 0
    return asObject ? STATE.nameOrClose : STATE.valueOrClose
  }

  function beginLine(at: number) {
    lineStart = before + at
    continuations = 0
  }

  function placeOf(at: number): string {
    const byte = before + at
    return `at byte ${byte} (line ${line}, column ${byte - lineStart - continuations + 1})`
  }

  function refused(what: string, at: number): PackageRefused {
    return outline.oversize(at) ?? manifestNotJson(`${what} ${placeOf(at)}${outline.where()}`)
  }

  /** `byte` is undefined at the end of the input. */
  function refusal(state: number, at: number, byte?: number): PackageRefused {
    const container = depth === 0 ? 'none' : isObject[depth] === 1 ? 'object' : 'array'
    // They were counted when their character began.
    continuations -= LACKING[state] as number
    return refused(unexpected(state, byte, container), at)
  }

  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
      for (let from = 0; from < bytes.length; from += SLICE) take(bytes.subarray(from, from + SLICE))
    },
    end() {
      element.enter(Buffer.alloc(0))
      // A number at the root is the only value whose last byte does not mark its end.
      if (depth === 0 && endsNumber(saved)) saved = endValue(0)
      if (saved !== STATE.done) throw refusal(saved, 0)
    },
  }
}
