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
  /** In the order of the export. Remembers that somebody asked. */
  of(owner: string): Promise<readonly OwnedElement[]>
  /** Owners for which nobody asked, each with the place of its first object. */
  unclaimed(): Iterable<{ readonly owner: string; readonly place: string }>
  /** Forgets which owners were asked for. */
  restart(): void
}

interface Position {
  readonly path: string
  readonly start: number
  readonly length: number
  readonly line: number
}

export function createElementIndex(): ElementIndex {
  const positions = new Map<string, Position[]>()
  const claimed = new Set<string>()
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
      const list = positions.get(owner)
      if (!list) return []
      claimed.add(owner)
      const found: OwnedElement[] = []
      for (const position of list) found.push(await read(position))
      return found
    },
    *unclaimed() {
      for (const [owner, [first]] of positions) {
        if (first && !claimed.has(owner)) yield { owner, place: placeOf(first.path, first.line) }
      }
    },
    restart: () => claimed.clear(),
    async [Symbol.asyncDispose]() {
      for (const file of files.values()) await file.close()
      files.clear()
    },
  }
}
