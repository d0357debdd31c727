import type { TicketChange, TicketComment } from '@plantroom/contract/tickets'

export type Entry =
  | { kind: 'comment'; comment: TicketComment; place: number }
  | { kind: 'change'; change: TicketChange; place: number }

/**
 * Puts changes between the comments of a conversation. Comments keep their order, whatever their times say; a change comes
 * before the first comment that is later. While more comments are to be loaded, changes after the last one wait.
 */
export function interleave(
  comments: readonly TicketComment[],
  newestFirst: readonly TicketChange[],
  { moreComments }: { moreComments: boolean },
): Entry[] {
  const changes = newestFirst.toReversed()
  const entries: Entry[] = []
  let next = 0
  const addUntil = (isBefore: (change: TicketChange) => boolean) => {
    for (; next < changes.length; next += 1) {
      const change = changes[next]
      if (!change || !isBefore(change)) return
      entries.push({ kind: 'change', change, place: next })
    }
  }
  for (const [place, comment] of comments.entries()) {
    const { createdAt } = comment
    // Imported comments are older than the import, which is the first change.
    if (createdAt !== null) addUntil(({ at }) => Date.parse(at) < Date.parse(createdAt))
    entries.push({ kind: 'comment', comment, place })
  }
  if (!moreComments) addUntil(() => true)
  return entries
}
