import type { Note, NoteKind } from './placements.ts'

/** Collects notes: one for each event, payload and resource, about its first interval. */
export interface NoteTaker {
  add(note: Partial<Note> & { readonly kind: NoteKind; readonly eventId: string }): void
  readonly notes: () => readonly Note[]
}

export function createNoteTaker(): NoteTaker {
  const notes = new Map<string, Note>()
  return {
    add({ kind, eventId, intervalId = null, payload = null, resourceName = null, detail = null }) {
      const key = JSON.stringify([kind, eventId, payload, resourceName])
      if (!notes.has(key)) notes.set(key, { kind, eventId, intervalId, payload, resourceName, detail })
    },
    notes: () => [...notes.values()],
  }
}
