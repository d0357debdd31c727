import type { ProblemList } from '../problems.ts'
import { type ElementOptions, type JsonElement, placeOf, readElements } from './read-elements.ts'
import { idText } from './values.ts'

interface TicketFiles extends ElementOptions {
  readonly paths: readonly string[]
  isTicket(path: string, element: JsonElement): boolean
  /** What to do about a ticket without an id: `save the reply again`. */
  readonly remedy: string
}

/** Yields the tickets of all files, each once, and notes in `places` where each is. Adds problems for the others. */
export async function* eachTicket(
  { paths, isList, isTicket, remedy }: TicketFiles,
  places: Map<string, string>,
  problems: ProblemList,
): AsyncGenerator<{ id: string; value: JsonElement['value'] }, void> {
  for (const path of paths) {
    for await (const element of readElements(path, { isList })) {
      if (!isTicket(path, element)) continue
      const place = placeOf(path, element.line)
      const id = idText(element.value.id)
      const first = places.get(id ?? '')
      if (id === undefined) {
        problems.add({ place, column: 'id', message: `the ticket has no id; ${remedy}` })
      } else if (first !== undefined) {
        // A ticket that changes between two pages of an export is on both.
        problems.add({ place, column: 'id', message: `ticket ${id} is already in ${first}; keep the newer of the two` })
      } else {
        places.set(id, place)
        yield { id, value: element.value }
      }
    }
  }
}
