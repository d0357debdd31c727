import { type FileHandle, open } from 'node:fs/promises'
import { parseObject, placeOf, type RawElement } from './read-elements.ts'
import type { JsonObject } from './values.ts'

/** An object of an export that belongs to another one, and where it stands. */
export interface OwnedElement {
  readonly place: string
  readonly value: JsonObject
}

/**
 * Finds the objects of an export by the id of their owner, for example comments by ticket, without keeping them in memory.
 * Only their positions are kept.
 */
export interface ElementIndex extends AsyncDisposable {
  add(owner: string, path: string, element: Pick<RawElement, 'start' | 'end' | 'line'>): void
  /** In the order of the export. */
  of(owner: string): Promise<readonly OwnedElement[]>
  /** Every owner, with the number of its objects and the place of the first. */
  owners(): Iterable<{ readonly owner: string; readonly count: number; readonly place: string }>
}

interface Position {
  readonly path: string
  readonly start: number
  readonly length: number
  readonly line: number
}

export function createElementIndex(): ElementIndex {
  const positions = new Map<string, Position[]>()
  const files = new Map<string, FileHandle>()

  const read = async ({ path, start, length, line }: Position): Promise<OwnedElement> => {
    const file = files.get(path) ?? (await open(path))
    files.set(path, file)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
    const place = placeOf(path, line)
    return { place, value: parseObject(buffer.subarray(0, bytesRead), place) }
  }

  return {
    add(owner, path, { start, end, line }) {
      const list = positions.get(owner)
      const position = { path, start, length: end - start, line }
      if (list) list.push(position)
      else positions.set(owner, [position])
    },
    async of(owner) {
      const found: OwnedElement[] = []
      for (const position of positions.get(owner) ?? []) found.push(await read(position))
      return found
    },
    *owners() {
      for (const [owner, list] of positions) {
        const [first] = list
        if (first) yield { owner, count: list.length, place: placeOf(first.path, first.line) }
      }
    },
    async [Symbol.asyncDispose]() {
      for (const file of files.values()) await file.close()
      files.clear()
    },
  }
}
