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

/** More changes in a row than this are folded. */
const SHOWN_IN_A_ROW = 6
/** How many of them stay, the last ones. */
const LEFT = 3

export type FoldedEntry = Entry | { kind: 'fold'; changes: readonly TicketChange[]; place: number }

/** Folds long runs of changes, so that a conversation stays one. */
export function foldChanges(entries: readonly Entry[]): FoldedEntry[] {
  const folded: FoldedEntry[] = []
  let run: Extract<Entry, { kind: 'change' }>[] = []
  const endRun = () => {
    const [first] = run
    if (first && run.length > SHOWN_IN_A_ROW) {
      folded.push({ kind: 'fold', changes: run.slice(0, -LEFT).map(({ change }) => change), place: first.place })
      run = run.slice(-LEFT)
    }
    folded.push(...run)
    run = []
  }
  for (const entry of entries) {
    if (entry.kind === 'change') {
      run.push(entry)
      continue
    }
    endRun()
    folded.push(entry)
  }
  endRun()
  return folded
}
