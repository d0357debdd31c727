import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { SourceError } from '../source.ts'
import { unreadable } from '../sources/csv/read-table.ts'
import { createSplitter, type RawElement } from './splitter.ts'

export type { RawElement } from './splitter.ts'

/** One object of a JSON export. */
export interface JsonElement extends Omit<RawElement, 'bytes'> {
  readonly value: Readonly<Record<string, unknown>>
}

export interface ElementOptions {
  /** Decides whether a field of an outer object is a list of elements. `isFirst`: no other field precedes it. */
  isList(name: string, isFirst: boolean): boolean
}

const CHUNK_BYTES = 1 << 18

/**
 * Yields the objects of a JSON file one at a time, in memory for one of them: objects line by line, a list, or lists
 * within an object such as `{"tickets": […], "count": 2}`. Throws a `SourceError` at the first mistake.
 */
export async function* readElements(path: string, options: ElementOptions): AsyncGenerator<JsonElement, void> {
  for await (const element of readRawElements(path, options)) yield parseElement(path, element)
}

/** Yields the objects like `readElements`, but as bytes. */
export async function* readRawElements(path: string, options: ElementOptions): AsyncGenerator<RawElement, void> {
  const splitter = createSplitter({ file: basename(path), ...options })
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
      yield* splitter.push(chunk)
    }
  } catch (error) {
    throw unreadable(path, error)
  }
  splitter.end()
}

export function parseElement(path: string, { bytes, ...position }: RawElement): JsonElement {
  return { ...position, value: parseObject(bytes, placeOf(path, position.line)) }
}

/** Names a line of a file, for messages. */
export function placeOf(path: string, line: number): string {
  return `${basename(path)}, line ${line}`
}

/** Parses the bytes of one object. Throws a `SourceError` that names `place`. */
export function parseObject(bytes: Uint8Array, place: string): Readonly<Record<string, unknown>> {
  const text = decode(bytes, place)
  try {
    // Numbers beyond 2^53 are ids of large systems. Rounded, two of them could become one.
    return LONG_NUMBER.test(text) ? JSON.parse(text, exactNumbers) : JSON.parse(text)
  } catch {
    throw new SourceError([{ place, message: 'what begins here is not valid JSON; export it again' }])
  }
}

const LONG_NUMBER = /\d{16}/

function exactNumbers(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^-?\d+$/.test(source) ? source : value
}

function decode(bytes: Uint8Array, place: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new SourceError([{ place, message: 'contains bytes that are not UTF-8; save the file as UTF-8' }])
  }
}
